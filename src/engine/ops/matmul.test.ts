import fc from "fast-check";
import { expect, test } from "vitest";
import { expectGradient } from "../../../test/expectGradient.js";
import { broadcastPair, MANY } from "../../../test/shapes.js";
import { input } from "../graph/value.js";
import { matmul } from "./matmul.js";

const extents = fc.tuple(
  fc.integer({ min: 1, max: 5 }),
  fc.integer({ min: 1, max: 5 }),
  fc.integer({ min: 1, max: 5 }),
);
const flags = fc.record({ transposeA: fc.boolean(), transposeB: fc.boolean() });
const matrix = (rows: number, columns: number, turned: boolean): [number, number] =>
  turned ? [columns, rows] : [rows, columns];

test("the product of two matrices, read either way, has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(extents, flags, ([m, k, n], options) =>
      expectGradient(
        (a, b) => matmul(a!, b!, options),
        [matrix(m, k, options.transposeA), matrix(k, n, options.transposeB)],
      ),
    ),
    MANY,
  ));

test("batches of matrices broadcast, and their gradients fold back", () =>
  fc.assert(
    fc.asyncProperty(broadcastPair, extents, flags, ([a, b], [m, k, n], options) =>
      expectGradient(
        (x, y) => matmul(x!, y!, options),
        [
          [...a.slice(-2), ...matrix(m, k, options.transposeA)],
          [...b.slice(-2), ...matrix(k, n, options.transposeB)],
        ],
      ),
    ),
    MANY,
  ));

test("inner extents that differ are named", () => {
  const a = input("a", { dtype: "float32", shape: [2, 3] });
  const b = input("b", { dtype: "float32", shape: [4, 5] });
  expect(() => matmul(a, b)).toThrow("Gemm: float32[2, 3] cannot be multiplied by float32[4, 5]");
});
