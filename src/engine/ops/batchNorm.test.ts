import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { anyImage, MANY } from "../../../test/shapes.js";
import { input } from "../graph/value.js";
import { float32, floats } from "../tensor/hostTensor.js";
import type { Shape } from "../tensor/shape.js";
import { batchNorm, channelAffine, frozenBatchNorm, movedStatistics } from "./batchNorm.js";
import { add, square } from "./elementwise.js";

test("batch norm over any batch has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(anyImage, (shape) => {
      const c = shape[1]!;
      return expectGradient((x, weight, bias) => batchNorm(x!, { weight: weight!, bias: bias! }).y, [shape, [c], [c]], {
        tolerance: 5e-3,
      });
    }),
    MANY,
  ));

test("batch norm at rest has the right gradient, also for its statistics", () =>
  fc.assert(
    fc.asyncProperty(anyImage, (shape) => {
      const c = shape[1]!;
      const build = (...[x, weight, bias, mean, variance]: Parameters<Parameters<typeof expectGradient>[0]>) =>
        frozenBatchNorm(x!, { weight: weight!, bias: bias! }, { mean: mean!, variance: variance! });
      return expectGradient(build, [shape, [c], [c], [c], [c]], { low: 0.4, high: 2, tolerance: 5e-3 });
    }),
    MANY,
  ));

test("a factor and an offset a channel have the right gradient", () =>
  fc.assert(
    fc.asyncProperty(anyImage, (shape) =>
      expectGradient((x, factor, offset) => channelAffine(x!, factor!, offset!), [shape, [shape[1]!], [shape[1]!]]),
    ),
    MANY,
  ));

test("statistics are the batch's own, and move towards it by a tenth with the unbiased variance", async () => {
  const x = input("x", { dtype: "float32", shape: [2, 1, 1, 2] });
  const one = (name: string) => input(name, { dtype: "float32", shape: [1] });
  const { batch } = batchNorm(x, { weight: one("w"), bias: one("b") });
  const moved = movedStatistics({ mean: one("mean"), variance: one("variance") }, batch, 4, 0.9);
  const v = (value: number) => float32([1], [value]);
  const feeds = { x: float32([2, 1, 1, 2], [1, 2, 3, 6]), w: v(1), b: v(0), mean: v(10), variance: v(1) };
  const { newMean: mean, newVariance: variance } = await evaluateOnce(
    { newMean: moved.mean, newVariance: moved.variance },
    feeds,
  );
  expect(floats(mean, "mean")[0]).toBeCloseTo(0.9 * 10 + 0.1 * 3, 5);
  expect(floats(variance, "variance")[0]).toBeCloseTo(0.9 * 1 + 0.1 * ((3.5 * 4) / 3), 5);
  // The kernel must not have written over what it was given.
  expect([feeds.mean.data[0], feeds.variance.data[0], feeds.w.data[0], feeds.b.data[0]]).toEqual([10, 1, 1, 0]);
});

test("two normalisations of one tensor by equal weights keep their statistics apart", async () => {
  const shape = [1, 2, 1, 2];
  const x = input("x", { dtype: "float32", shape });
  const [w, b] = [input("w", { dtype: "float32", shape: [2] }), input("b", { dtype: "float32", shape: [2] })];
  const { batch } = batchNorm(x, { weight: w, bias: b });
  const feeds = { x: float32(shape, [1, 3, 10, 20]), w: float32([2], [1, 1]), b: float32([2], [1, 1]) };
  const { mean, variance } = await evaluateOnce({ ...batch }, feeds);
  expect([...floats(mean, "mean")]).toEqual([2, 15]);
  expect([...floats(variance, "variance")]).toEqual([1, 25]);
});

test("two batches through one batch norm, and one batch through two, keep their statistics apart until the way back", async () => {
  const shape = [3, 2, 2, 2];
  const vectors: Shape[] = [[2], [2], [2], [2]];
  await expectGradient(
    (a, b, weight, bias, weight2, bias2) => {
      const norm = { weight: weight!, bias: bias! };
      const passes = [batchNorm(a!, norm), batchNorm(b!, norm), batchNorm(a!, { weight: weight2!, bias: bias2! })];
      return passes.map(({ y }) => square(y)).reduce((total, one) => add(total, one));
    },
    [shape, shape, ...vectors],
    { tolerance: 5e-3 },
  );
});

test("the batch can be normalised without asking for its statistics", async () => {
  const x = input("x", { dtype: "float32", shape: [1, 1, 1, 2] });
  const one = (name: string) => input(name, { dtype: "float32", shape: [1] });
  const { y } = batchNorm(x, { weight: one("w"), bias: one("b") });
  const result = await evaluateOnce(
    { y },
    { x: float32([1, 1, 1, 2], [1, 3]), w: float32([1], [2]), b: float32([1], [5]) },
  );
  expect([...floats(result.y, "y")].map((value) => Number(value.toFixed(3)))).toEqual([3, 7]);
});

test("a vector that is not one number a channel is named", () => {
  const x = input("x", { dtype: "float32", shape: [1, 3, 2, 2] });
  const w = input("w", { dtype: "float32", shape: [4] });
  expect(() => channelAffine(x, w, w)).toThrow(
    "float32[4] does not give one number for each channel of float32[1, 3, 2, 2]",
  );
});
