import { expect, test } from "vitest";
import { evaluateOnce, expectGradient, relativeDistance } from "../../../test/expectGradient.js";
import { input, type Value } from "../../engine/graph/value.js";
import { float32, floats, type HostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { type Shape, size } from "../../engine/tensor/shape.js";
import { inferencePass } from "../layers/pass.js";
import { Scope } from "../layers/scope.js";
import { startOf } from "../optim/trainStep.js";
import { atAnySize, cropTo, mirroredTo } from "./anySize.js";
import { DeepLab, upsampleScores } from "./deeplab.js";
import { ResNet18 } from "./resnet.js";

const images = (...shape: number[]): Value => input("images", { dtype: "float32", shape });
const drawn = (shape: Shape): HostTensor => {
  const draw = random("image");
  return float32(shape, Float32Array.from({ length: size(shape) }, draw.normal));
};
const first = (scope: Scope): Tensors =>
  Object.fromEntries(scope.params.map((param) => [param.path, startOf(param)(0)]));

/** The top left corner of an image, and the image continued by reflection, pixel by pixel. */
function remade({ shape, data }: HostTensor, [height, width]: readonly [number, number]): HostTensor {
  const [n, c, h, w] = shape as [number, number, number, number];
  const mirrored = (at: number, extent: number): number => (at < extent ? at : 2 * (extent - 1) - at);
  const values = Float32Array.from({ length: n * c * height * width }, (_, i) => {
    const [plane, y, x] = [Math.floor(i / (height * width)), Math.floor(i / width) % height, i % width];
    return Number(data[(plane * h + mirrored(y, h)) * w + mirrored(x, w)]);
  });
  return float32([n, c, height, width], values);
}

test("an image is continued to the right and below by its mirror image", async () => {
  const image = drawn([2, 3, 13, 30]);
  const { y } = await evaluateOnce({ y: mirroredTo(images(2, 3, 13, 30), 16) }, { images: image });
  expect(y).toEqual(remade(image, [16, 32]));
});

test("an image smaller than its border is reflected again and again", async () => {
  const row = (w: number) => Float32Array.from({ length: w }, (_, i) => i);
  const wide = async (w: number) => {
    const { y } = await evaluateOnce(
      { y: cropTo(mirroredTo(images(1, 1, 1, w), 16), [1, 16]) },
      { images: float32([1, 1, 1, w], row(w)) },
    );
    return [...floats(y, "y")];
  };
  expect(await wide(3)).toEqual([0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]);
  expect(await wide(1)).toEqual(Array(16).fill(0));
});

test("an image that fits is given on as it is", () => {
  const fits = images(1, 3, 32, 48);
  expect(atAnySize(fits, (x) => x)).toBe(fits);
});

test("the border has a gradient, so that images can have one", () =>
  expectGradient((x) => mirroredTo(x!, 4), [[1, 2, 3, 5]]));

test("the whole network answers at the size of the image, as it does for the continued image", async () => {
  const scope = new Scope();
  const network = new DeepLab(scope, { classes: 3, width: 0.05, features: 8 });
  const answer = (x: Value): Value => upsampleScores(network.head(network.features(x, inferencePass), inferencePass));
  const image = drawn([1, 3, 37, 85]);
  const scores = (
    await evaluateOnce({ y: atAnySize(images(1, 3, 37, 85), answer) }, { ...first(scope), images: image })
  ).y!;
  const by = remade(image, [48, 96]);
  const wide = (await evaluateOnce({ y: answer(images(1, 3, 48, 96)) }, { ...first(scope), images: by })).y!;
  expect(scores.shape).toEqual([1, 3, 37, 85]);
  expect(floats(scores, "scores").every(Number.isFinite)).toBe(true);
  expect(scores).toEqual(remade(wide, [37, 85]));
});

test("far from the border the encoder's features are those of a run without one, to 1e-3", async () => {
  const scope = new Scope();
  const encoder = new ResNet18(scope, { outputStride: 8, width: 0.125, stages: 4 });
  const shallow = (x: Value): Value => encoder.forward(x, inferencePass).shallow;
  const image = drawn([1, 3, 96, 157]);
  const whole = (
    await evaluateOnce({ y: shallow(mirroredTo(images(1, 3, 96, 157), 16)) }, { ...first(scope), images: image })
  ).y!;
  const crop = (
    await evaluateOnce({ y: shallow(images(1, 3, 96, 144)) }, { ...first(scope), images: remade(image, [96, 144]) })
  ).y!;
  // Stem and first stage see 43 pixels in all, 21 to each side: the last 6 columns at stride 4 may differ.
  const inner = (tensor: HostTensor) => floats(remade(tensor, [24, 30]), "inner");
  expect(relativeDistance(inner(whole), inner(crop))).toBeLessThan(1e-6);
});

test("scores smaller than the image cannot be cropped to it", () => {
  const attempt = () => atAnySize(images(1, 3, 30, 30), () => images(1, 3, 8, 8));
  expect(attempt).toThrow("cannot crop 8 x 8 (height x width) to 30 x 30");
});
