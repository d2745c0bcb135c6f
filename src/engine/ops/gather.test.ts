import fc from "fast-check";
import { expect, test } from "vitest";
import { expectGradient } from "../../../test/expectGradient.js";
import { anyShape, MANY } from "../../../test/shapes.js";
import { constant, input } from "../graph/value.js";
import { int64 } from "../tensor/hostTensor.js";
import { size } from "../tensor/shape.js";
import { gather, gatherElements } from "./gather.js";

test("gather adds up the gradients of what was picked twice", () =>
  fc.assert(
    fc.asyncProperty(
      anyShape,
      fc.nat(3),
      fc.array(fc.nat(100), { minLength: 1, maxLength: 6 }),
      (shape, where, picks) => {
        const axis = where % shape.length;
        const indices = picks.map((pick) => pick % shape[axis]!);
        return expectGradient((x) => gather(x!, constant(int64([1, indices.length], indices)), axis), [shape]);
      },
    ),
    MANY,
  ));

test("gathering elements has the right gradient along any axis", () =>
  fc.assert(
    fc.asyncProperty(
      anyShape,
      fc.nat(3),
      fc.integer({ min: 1, max: 3 }),
      fc.infiniteStream(fc.nat(100)),
      (shape, where, extent, picks) => {
        const axis = where % shape.length;
        const wanted = shape.with(axis, extent);
        const indices = Array.from({ length: size(wanted) }, () => Number(picks.next().value) % shape[axis]!);
        return expectGradient((x) => gatherElements(x!, constant(int64(wanted, indices)), axis), [shape]);
      },
    ),
    MANY,
  ));

test("indices of another shape are named", () => {
  const x = input("x", { dtype: "float32", shape: [2, 3] });
  expect(() => gatherElements(x, constant(int64([3, 1], [0, 0, 0])), 1)).toThrow(
    "GatherElements: along axis 1 int64[3, 1] does not index float32[2, 3]",
  );
  expect(() => gather(x, x, 0)).toThrow("Gather: float32[2, 3] has the wrong element type, wanted int64 or int32");
});
