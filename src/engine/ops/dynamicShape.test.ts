import { describe, expect, test } from "vitest";
import { evaluateOnce, relativeDistance } from "../../../test/expectGradient.js";
import { constant, input, type Value } from "../graph/value.js";
import { writeModel } from "../onnx/writeModel.js";
import { nodeRuntime } from "../runtime/node.js";
import { float32, floats, type HostTensor } from "../tensor/hostTensor.js";
import { random } from "../tensor/random.js";
import { type OpenType, size } from "../tensor/shape.js";
import { enlarge, mirrorPad, spreadLike } from "./dynamicShape.js";
import { resizeBilinear } from "./resize.js";
import { pad, reshape, stretchTo } from "./shaping.js";

const x = (h: number, w: number): Value => input("x", { dtype: "float32", shape: [1, 2, h, w] });
const drawn = (h: number, w: number): HostTensor => {
  const { normal } = random("free", h, w);
  return float32([1, 2, h, w], Float32Array.from({ length: size([2, h, w]) }, normal));
};
const one = constant(float32([1, 2, 1, 1], [0.5, -2]));
const OPEN: OpenType["shape"] = [1, 2, "h", "w"];

/** One model, written from a graph of 20 x 18, run at several sizes beside the fixed spelling of each. */
async function expectSame(free: (x: Value) => Value, fixed: (x: Value) => Value, shape: OpenType["shape"]) {
  const { bytes } = writeModel({ outputs: { y: free(x(20, 18)) } }, { open: { x: OPEN, y: shape } });
  const program = await nodeRuntime().load(bytes, {
    inputs: new Map([["x", { dtype: "float32" as const, shape: OPEN }]]),
    outputs: new Map([["y", { dtype: "float32" as const, shape }]]),
  });
  for (const [h, w] of [
    [20, 18],
    [16, 32],
    [17, 63],
    [9, 40],
  ] as const) {
    const { y } = await program.run({ x: drawn(h, w) });
    const wanted = await evaluateOnce({ y: fixed(x(h, w)) }, { x: drawn(h, w) });
    expect([...y!.shape]).toEqual([...wanted.y!.shape]);
    // The runtime computes where a sample lies in single precision.
    expect(relativeDistance(floats(y, "y"), floats(wanted.y, "y"))).toBeLessThan(1e-5);
  }
  await program.close();
}

describe("one model for every size:", () => {
  const missing = (extent: number): number => (16 - (extent % 16)) % 16;
  const reflected = (image: Value): Value =>
    pad(image, [0, 0, 0, 0], [0, 0, missing(image.shape[2]!), missing(image.shape[3]!)], "reflect");

  test("mirrorPad continues an image to a multiple of 16", () =>
    expectSame((image) => mirrorPad(image, 2, 16), reflected, [1, 2, "H", "W"]));

  test.each(["corners", "centres"] as const)("enlarge is bilinear, by %s", (alignment) =>
    expectSame(
      (image) => enlarge(image, 2, 4, alignment),
      (image) => resizeBilinear(image, [4 * image.shape[2]!, 4 * image.shape[3]!], alignment),
      [1, 2, "H", "W"],
    ),
  );

  test("spreadLike repeats a pixel", () =>
    expectSame(
      (image) => spreadLike(one, 2, image),
      (image) => stretchTo(one, [1, 2, image.shape[2]!, image.shape[3]!]),
      OPEN,
    ));
});

test("an image that is smaller than its border is refused", () => {
  expect(() => mirrorPad(x(20, 4), 2, 16)).toThrow("too small to be mirrored to 32 x 16");
});

test("an op that is written for one size cannot be in a model for all", () => {
  const graph = { outputs: { y: reshape(x(20, 18), [1, 2, 360]) } };
  expect(() => writeModel(graph, { open: { x: OPEN, y: [1, 2, "n"] } })).toThrow("Reshape depends on the size");
});
