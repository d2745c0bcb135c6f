import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { anyImage, MANY } from "../../../test/shapes.js";
import { gradients } from "../autodiff/gradients.js";
import { input } from "../graph/value.js";
import { float32, floats } from "../tensor/hostTensor.js";
import { averagePool, globalAveragePool, maxPool } from "./pool.js";
import { sum } from "./reduce.js";

test("max pooling with overlapping windows has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(anyImage, fc.constantFrom([3, 2, 1], [2, 2, 0], [2, 1, 0], [3, 1, 1]), (shape, window) => {
      const [kernel, stride, padding] = window as [number, number, number];
      return expectGradient((x) => maxPool(x!, { kernel, stride, padding }), [shape], { kinks: true });
    }),
    MANY,
  ));

test("the first of several maxima gets the gradient", async () => {
  const x = input("x", { dtype: "float32", shape: [1, 1, 2, 2] });
  const [dx] = gradients(sum(maxPool(x, { kernel: 2, stride: 2, padding: 0 })), [x]);
  const { dx: result } = await evaluateOnce({ dx: dx! }, { x: float32([1, 1, 2, 2], [1, 5, 5, 5]) });
  expect([...floats(result, "dx")]).toEqual([0, 1, 0, 0]);
});

test("average pooling shares the gradient over each cell", () =>
  fc.assert(
    fc.asyncProperty(anyImage, fc.integer({ min: 1, max: 3 }), (shape, kernel) =>
      expectGradient((x) => averagePool(x!, kernel), [[shape[0]!, shape[1]!, shape[2]! * kernel, shape[3]! * kernel]]),
    ),
    MANY,
  ));

test("global average pooling has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(anyImage, (shape) => expectGradient((x) => globalAveragePool(x!), [shape])),
    MANY,
  ));

test("cells that do not divide the image are named", () => {
  const x = input("x", { dtype: "float32", shape: [1, 3, 6, 8] });
  expect(() => averagePool(x, 4)).toThrow("AveragePool: float32[1, 3, 6, 8] does not divide into cells of 4 x 4");
});
