import { expect, test } from "vitest";
import { float32 } from "../../engine/tensor/hostTensor.js";
import { runningMean } from "./runningMean.js";

const network = (...values: number[]) => ({ "head.bias": float32([values.length], values) });

test("each network counts half, and all before it the other half", () => {
  const mean = runningMean([network(8, 0), network(0, 4), network(2, -1)]);
  expect(mean).toEqual(network(8 / 4 + 0 / 4 + 2 / 2, 0 / 4 + 4 / 4 - 1 / 2));
  expect(runningMean([network(3, 5)])).toEqual(network(3, 5));
});

test("networks of other parts have no mean", () => {
  expect(() => runningMean([network(1), { "head.weight": float32([1], [1]) }])).toThrow('has "head.bias"');
});
