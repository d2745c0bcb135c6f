import { describe, expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { batchFor } from "../../../test/smallStep.js";
import { input } from "../../engine/graph/value.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { float32, floats, type HostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { size } from "../../engine/tensor/shape.js";
import { inferencePass, PassRecorder } from "../layers/pass.js";
import { Scope } from "../layers/scope.js";
import { crossEntropy } from "../losses/crossEntropy.js";
import { sgd } from "../optim/optimiser.js";
import { Stepper } from "../optim/stepper.js";
import { startOf, type TrainStep, trainStep } from "../optim/trainStep.js";
import { DeepLab, type DeepLabOptions, upsampleScores } from "./deeplab.js";
import { ResNet18 } from "./resnet.js";

const narrow: DeepLabOptions = { classes: 3, width: 0.125, features: 16 };
const images = input("images", { dtype: "float32", shape: [2, 3, 32, 48] });
const first = (scope: Scope): Tensors => Object.fromEntries(scope.params.map((one) => [one.path, startOf(one)(0)]));
const noise = (shape: readonly number[], value: number): HostTensor =>
  float32(shape, new Float32Array(size(shape)).fill(value));

test("E gives features at a quarter of the image's size, and the head makes them the scores (M-4)", () => {
  const network = new DeepLab(new Scope(), narrow);
  const features = network.features(images, inferencePass);
  expect(features.shape).toEqual([2, 16, 8, 12]);
  expect(network.head(features, inferencePass).shape).toEqual([2, 3, 8, 12]);
});

describe("an encoder of three stages", () => {
  const namesOf = (options: DeepLabOptions): string[] => {
    const scope = new Scope();
    new DeepLab(scope, options);
    return scope.params.map(({ path }) => path);
  };

  test("is ResNet-18 without layer4, and has the same parameters otherwise", () => {
    const [three, four] = [namesOf({ ...narrow, stages: 3 }), namesOf({ ...narrow, stages: 4 })];
    expect(three).toEqual(four.filter((name) => !name.startsWith("encoder.layer4.")));
    expect(three.length).toBeLessThan(four.length);
    expect(namesOf(narrow)).toEqual(four);
  });

  test.each([
    [3, 16, [2, 32, 2, 3]],
    [4, 16, [2, 64, 2, 3]],
    [3, 8, [2, 32, 4, 6]],
    [4, 8, [2, 64, 4, 6]],
  ] as const)("%i stages at stride %i: deep features of shape %j", (stages, outputStride, shape) => {
    const { shallow, deep } = new ResNet18(new Scope(), { outputStride, width: 0.125, stages }).forward(
      images,
      inferencePass,
    );
    expect([shallow.shape, deep.shape]).toEqual([[2, 8, 8, 12], shape]);
  });

  test("feeds its 256 channels to ASPP, and the decoder's features keep their shape", () => {
    const scope = new Scope();
    const network = new DeepLab(scope, { classes: 3, stages: 3 });
    const shapeOf = (path: string) => scope.params.find((param) => param.path === path)!.shape;
    expect(shapeOf("decoder.aspp.0.convs.0.0.weight")).toEqual([256, 256, 1, 1]);
    expect(network.features(images, inferencePass).shape).toEqual([2, 256, 8, 12]);
  });

  test("drops channels after its second and third stage", () => {
    const recorder = new PassRecorder();
    new DeepLab(new Scope(), { ...narrow, stages: 3, encoderDropout: 0.2 }).features(images, recorder.draw());
    expect(recorder.noises.map(({ shape }) => shape)).toEqual([16, 32].map((channels) => [2, channels, 1, 1]));
  });
});

describe("dropout of the encoder's channels", () => {
  const asked = (options: DeepLabOptions, pass: "pass" | "draw") => {
    const recorder = new PassRecorder();
    new DeepLab(new Scope(), options).features(images, recorder[pass]());
    return recorder.noises.map(({ shape }) => shape);
  };

  test("comes after the second, third and fourth stage, and the decoder's rests while drawing", () => {
    const stages = [16, 32, 64].map((channels) => [2, channels, 1, 1]);
    expect(asked({ ...narrow, encoderDropout: 0.2 }, "pass")).toEqual([...stages, [2, 16, 2, 3]]);
    expect(asked({ ...narrow, encoderDropout: 0.2 }, "draw")).toEqual(stages);
  });

  test("is off unless asked for", () => {
    expect(asked(narrow, "pass")).toEqual([[2, 16, 2, 3]]);
    expect(asked(narrow, "draw")).toEqual([]);
  });

  test("reaches what the decoder gets, except the shallow features", async () => {
    const scope = new Scope();
    const encoder = new ResNet18(scope, { outputStride: 16, width: 0.125, stages: 4, dropout: 0.2 });
    const recorder = new PassRecorder();
    const [drawn, atRest] = [encoder.forward(images, recorder.draw()), encoder.forward(images, inferencePass)];
    const draw = random("images");
    const feeds = {
      ...first(scope),
      images: float32(images.shape, Float32Array.from({ length: size(images.shape) }, draw.normal)),
      ...Object.fromEntries(recorder.noises.map(({ shape }, i) => [`noise.${i}`, noise(shape, i === 2 ? 0.1 : 0.5)])),
    };
    const found = await evaluateOnce(
      { deep: drawn.deep, shallow: drawn.shallow, rest: atRest.shallow, full: atRest.deep },
      feeds,
    );
    expect(floats(found.deep, "deep").every((value) => value === 0)).toBe(true);
    expect(floats(found.full, "full").some((value) => value !== 0)).toBe(true);
    expect(found.shallow).toEqual(found.rest);
  });
});

describe("spectral norm", () => {
  const options: DeepLabOptions = { ...narrow, classes: 5, spectralNorm: 3, spectralImage: [64, 64] };

  test("is off unless asked for, and then holds every convolution of the encoder and no other", () => {
    const names = (how: DeepLabOptions) => {
      const scope = new Scope();
      new DeepLab(scope, how);
      return scope.params.map(({ path }) => path);
    };
    const vectors = names(options).filter((name) => !names(narrow).includes(name));
    const filters = names(narrow).filter((name) => /^encoder\..*(conv\d|downsample\.0)\.weight$/.test(name));
    expect(vectors).toEqual(filters.flatMap((name) => [`${name}_u`, `${name}_v`]));
    expect(filters).toHaveLength(20);
    expect(names({ ...narrow, spectralNorm: "off" })).toEqual(names(narrow));
  });

  function step(): TrainStep {
    const scope = new Scope();
    const network = new DeepLab(scope, { ...options, asppDropout: 0 });
    const square = input("images", { dtype: "float32", shape: [2, 3, 64, 64] });
    const labels = input("labels", { dtype: "int64", shape: [2, 64, 64] });
    const recorder = new PassRecorder();
    const pass = recorder.pass();
    const loss = crossEntropy(upsampleScores(network.head(network.features(square, pass), pass)), labels);
    return trainStep({ loss, params: scope.params, optimiser: sgd({ momentum: 0.9 }), gathered: recorder.updates });
  }

  async function trained(threads: number, steps: number) {
    const program = step();
    const stepper = await Stepper.open(nodeRuntime({ threads }), program, { seed: 3 });
    const losses: number[] = [];
    for (let i = 0; i < steps; i++)
      losses.push(floats((await stepper.run(batchFor(program, 0), 0.02)).loss, "loss")[0]!);
    await stepper.close();
    return { losses, state: await stepper.state() };
  }

  test("lets the network learn, and moves its vectors from step to step", async () => {
    const { losses, state } = await trained(1, 10);
    expect(losses.at(-1)!).toBeLessThan(0.8 * losses[0]!);
    const name = "encoder.layer3.0.conv1.weight_u";
    const start = step().state.get(name)!.start(3);
    expect(state[name]).not.toEqual(start);
    expect(Math.hypot(...floats(state[name], name))).toBeCloseTo(1, 4);
  });

  test("ends with the same bits on 1, 2 and 4 threads", async () => {
    const ends: Tensors[] = [];
    for (const threads of [1, 2, 4]) ends.push((await trained(threads, 2)).state);
    const [one, ...others] = ends;
    const names = Object.keys(one!);
    for (const other of others) {
      expect(names.filter((name) => one![name]!.data.some((value, i) => value !== other[name]!.data[i]))).toEqual([]);
    }
  });
});
