import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateOnce, expectGradient, type GradientOptions } from "../../../test/expectGradient.js";
import { anyShape, broadcastPair, MANY } from "../../../test/shapes.js";
import { constant, input, type Value } from "../graph/value.js";
import { compile } from "../runtime/compile.js";
import { nodeRuntime } from "../runtime/node.js";
import { float32, floats, hostTensor } from "../tensor/hostTensor.js";
import { size } from "../tensor/shape.js";
import * as op from "./elementwise.js";

const POSITIVE = { low: 0.3, high: 2.5 };
const KINKS = { kinks: true };

describe("the gradient is right for any broadcasting of", () => {
  const cases: Record<string, { op: (a: Value, b: Value) => Value; options?: GradientOptions }> = {
    add: { op: op.add },
    sub: { op: op.sub },
    mul: { op: op.mul },
    div: { op: op.div, options: POSITIVE },
    maximum: { op: op.maximum, options: KINKS },
    minimum: { op: op.minimum, options: KINKS },
  };
  test.each(Object.entries(cases))("%s", (_, { op: build, options }) =>
    fc.assert(
      fc.asyncProperty(broadcastPair, ([a, b]) =>
        expectGradient((x, y) => build(x!, y!), [a, b], { tolerance: 2e-3, ...options }),
      ),
      MANY,
    ),
  );
});

describe("the gradient is right for any shape of", () => {
  const cases: Record<string, { op: (x: Value) => Value; options?: GradientOptions }> = {
    neg: { op: op.neg },
    exp: { op: op.exp },
    log: { op: op.log, options: POSITIVE },
    sqrt: { op: op.sqrt, options: POSITIVE },
    tanh: { op: op.tanh },
    sigmoid: { op: op.sigmoid },
    abs: { op: op.abs, options: KINKS },
    square: { op: op.square },
    "pow 3": { op: (x) => op.pow(x, 3) },
    "pow 0.5": { op: (x) => op.pow(x, 0.5), options: POSITIVE },
    relu: { op: op.relu, options: KINKS },
    "leaky relu": { op: (x) => op.leakyRelu(x, 0.1), options: KINKS },
    "clip from below": { op: (x) => op.clip(x, 0, 9), options: KINKS },
    "clip from above": { op: (x) => op.clip(x, -9, 0), options: KINKS },
    "scale and shift": { op: (x) => op.shift(op.scale(x, -3), 2) },
    "cast to itself": { op: (x) => op.cast(x, "float32") },
  };
  test.each(Object.entries(cases))("%s", (_, { op: build, options }) =>
    fc.assert(
      fc.asyncProperty(anyShape, (shape) => expectGradient((x) => build(x!), [shape], { tolerance: 2e-3, ...options })),
      MANY,
    ),
  );
});

test("where hands each branch the gradient of the places it was taken from", () =>
  fc.assert(
    fc.asyncProperty(broadcastPair, ([a, b]) => {
      const condition = constant(
        hostTensor(
          "bool",
          a,
          Uint8Array.from({ length: size(a) }, (_, i) => i % 2),
        ),
      );
      return expectGradient((x, y) => op.where(condition, x!, y!), [a, b]);
    }),
    MANY,
  ));

test("relu has no slope at zero and below, and slope one for the smallest number above", async () => {
  const { gradients } = await import("../autodiff/gradients.js");
  const { sum } = await import("./reduce.js");
  const x = input("x", { dtype: "float32", shape: [4] });
  const [dx] = gradients(sum(op.relu(x)), [x]);
  const feeds = { x: float32([4], [-1, 0, 1e-37, 1e30]) };
  expect([...floats((await evaluateOnce({ dx: dx! }, feeds)).dx, "dx")]).toEqual([0, 0, 1, 1]);
});

test("nothing flows through stopGradient, and its value is unchanged", async () => {
  const { gradients } = await import("../autodiff/gradients.js");
  const { sum } = await import("./reduce.js");
  const x = input("x", { dtype: "float32", shape: [2] });
  const y = op.mul(x, op.stopGradient(x));
  const [dx] = gradients(sum(y), [x]);
  const result = await evaluateOnce({ dx: dx!, y }, { x: float32([2], [3, -4]) });
  expect([...floats(result.dx, "dx")]).toEqual([3, -4]);
  expect([...floats(result.y, "y")]).toEqual([9, 16]);
});

test("comparisons and logic answer element by element", async () => {
  const [a, b] = [input("a", { dtype: "float32", shape: [3] }), input("b", { dtype: "float32", shape: [3] })];
  const more = op.greater(a, b);
  const same = op.equal(a, b);
  const answers = {
    more,
    same,
    atLeast: op.greaterOrEqual(a, b),
    either: op.or(more, same),
    both: op.and(more, same),
    less: op.not(op.or(more, same)),
  };
  const results = await evaluateOnce(answers, { a: float32([3], [1, 2, 3]), b: float32([3], [2, 2, 2]) });
  expect(Object.fromEntries(Object.keys(answers).map((key) => [key, [...results[key]!.data]]))).toEqual({
    more: [0, 0, 1],
    same: [0, 1, 0],
    atLeast: [0, 1, 1],
    either: [0, 1, 1],
    both: [0, 0, 0],
    less: [1, 0, 0],
  });
});

test("log gives a single image and a batch the same digits, whatever the number of threads", async () => {
  const [height, width] = [131, 257];
  const values = Float32Array.from({ length: height * width }, (_, i) => 1e-3 + ((i * 7919) % 10_007) / 100);
  const logs = [];
  for (const threads of [1, 2, 3]) {
    for (const shape of [
      [1, 1, height, width],
      [height, 1, 1, width],
    ]) {
      const graph = { outputs: { y: op.log(input("x", { dtype: "float32", shape })) } };
      const program = await compile(nodeRuntime({ threads }), graph);
      logs.push(floats((await program.run({ x: float32(shape, values) })).y, "y"));
      await program.close();
    }
  }
  for (const one of logs) expect(one).toEqual(logs[0]);
});

test("shapes that do not broadcast are named, with the axis", () => {
  const a = input("a", { dtype: "float32", shape: [2, 3] });
  const b = input("b", { dtype: "float32", shape: [4, 3] });
  expect(() => op.add(a, b)).toThrow("Add: float32[2, 3] and float32[4, 3] do not broadcast");
});

test("element types that do not match are named", () => {
  const a = input("a", { dtype: "float32", shape: [2] });
  const b = input("b", { dtype: "int64", shape: [2] });
  expect(() => op.mul(a, b)).toThrow("Mul: float32[2] and int64[2] have different element types");
  expect(() => op.exp(b)).toThrow("Exp: int64[2] has the wrong element type, wanted float32 or float16");
  expect(() => op.not(a)).toThrow("Not: float32[2] has the wrong element type, wanted bool");
});
