import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { anyShape, MANY, shapeAndAxes } from "../../../test/shapes.js";
import { gradients } from "../autodiff/gradients.js";
import { input, type Value } from "../graph/value.js";
import { compile } from "../runtime/compile.js";
import { nodeRuntime } from "../runtime/node.js";
import { float32, floats, int64 } from "../tensor/hostTensor.js";
import { random } from "../tensor/random.js";
import { size } from "../tensor/shape.js";
import * as op from "./reduce.js";

describe("the gradient is right over any axes of", () => {
  const cases = { sum: op.sum, mean: op.mean, max: op.max, min: op.min };
  test.each(Object.entries(cases))("%s", (_, reduce) =>
    fc.assert(
      fc.asyncProperty(shapeAndAxes, fc.boolean(), ({ shape, axes }, keep) =>
        expectGradient((x) => reduce(x!, axes, { keep }), [shape], { kinks: true }),
      ),
      MANY,
    ),
  );
});

test("log-sum-exp over any axes has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(shapeAndAxes, ({ shape, axes }) => expectGradient((x) => op.logSumExp(x!, axes), [shape])),
    MANY,
  ));

describe("the gradient is right along any axis of", () => {
  const cases = {
    softmax: op.softmax,
    logSoftmax: op.logSoftmax,
    l2Normalise: op.l2Normalise,
  };
  test.each(Object.entries(cases))("%s", (_, along) =>
    fc.assert(
      fc.asyncProperty(anyShape, fc.nat(3), (shape, axis) =>
        expectGradient((x) => along(x!, axis % shape.length), [shape], { low: 0.4, high: 2 }),
      ),
      MANY,
    ),
  );
});

const run = async (y: Value, ...values: number[]): Promise<number[]> =>
  [...floats((await evaluateOnce({ y }, { x: float32([values.length], values) })).y, "y")].map((v) =>
    Number(v.toPrecision(6)),
  );
const x = (count: number): Value => input("x", { dtype: "float32", shape: [count] });

test("softmax and log-sum-exp survive scores that overflow on their own", async () => {
  expect(await run(op.softmax(x(2), 0), 1000, 1000)).toEqual([0.5, 0.5]);
  expect(await run(op.logSumExp(x(2), [0]), -1000, -1000)).toEqual([Number((-1000 + Math.log(2)).toPrecision(6))]);
});

test("a tie shares the gradient of a maximum equally", async () => {
  const tied = x(3);
  const [dx] = gradients(op.max(tied), [tied]);
  expect(await run(dx!, 2, 1, 2)).toEqual([0.5, 0, 0.5]);
});

test("the zero vector stays zero when normalised, and has no slope", async () => {
  const v = x(3);
  const [dx] = gradients(op.sum(op.l2Normalise(v, 0)), [v]);
  const result = await evaluateOnce({ y: op.l2Normalise(v, 0), dx: dx! }, { x: float32([3], [0, 0, 0]) });
  expect([...floats(result.y, "y")]).toEqual([0, 0, 0]);
  expect([...floats(result.dx, "dx")].every(Number.isFinite)).toBe(true);
});

test("top-k finds the smallest elements, in any order, and where they were", async () => {
  const { values, indices } = op.topK(x(5), 2, { largest: false });
  const result = await evaluateOnce({ values, indices }, { x: float32([5], [4, -1, 3, -7, 5]) });
  expect([...floats(result.values, "values")].sort((a, b) => a - b)).toEqual([-7, -1]);
  expect([...(result.indices!.data as BigInt64Array)].sort()).toEqual([1n, 3n]);
});

test("argmax takes the lowest index of a tie", async () => {
  const result = await evaluateOnce({ y: op.argmax(x(4), 0) }, { x: float32([4], [1, 3, 3, 0]) });
  expect(result.y!.data[0]).toBe(1n);
});

test("one-hot is all zeros for a label that is no class", async () => {
  const labels = input("labels", { dtype: "int64", shape: [3] });
  const result = await evaluateOnce({ y: op.oneHot(labels, 2, 1) }, { labels: int64([3], [1, 255, 0]) });
  expect([...floats(result.y, "y")]).toEqual([0, 1, 0, 0, 1, 0]);
});

test("an axis that does not exist is named", () => {
  expect(() => op.sum(x(3), [2])).toThrow("ReduceSum: axis 2 does not exist in a tensor of 1 axes");
});

test("sums on both sides of a short axis have the same bits with 1, 2 and 4 threads", async () => {
  const shape = [6, 3, 64, 64];
  const x = input("x", { dtype: "float32", shape });
  const draw = random("sum");
  const feed = float32(shape, Float32Array.from({ length: size(shape) }, draw.normal));
  const bits: string[] = [];
  for (const threads of [1, 2, 4]) {
    const program = await compile(nodeRuntime({ threads }), { outputs: { y: op.sum(x, [0, 2, 3]) } });
    const { y } = await program.run({ x: feed });
    bits.push([...floats(y, "y")].join());
    await program.close();
  }
  expect(new Set(bits).size).toBe(1);
});
