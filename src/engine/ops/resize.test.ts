import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { anyImage, MANY } from "../../../test/shapes.js";
import { constant, input } from "../graph/value.js";
import { float32, floats } from "../tensor/hostTensor.js";
import { interpolation } from "../tensor/interpolation.js";
import { cropAndResize, resizeBilinear } from "./resize.js";

const side = fc.integer({ min: 1, max: 9 });

test("resizing to any size, either way of aligning, has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(
      anyImage,
      side,
      side,
      fc.constantFrom("corners" as const, "centres" as const),
      (shape, height, width, alignment) =>
        expectGradient((x) => resizeBilinear(x!, [height, width], alignment), [shape]),
    ),
    MANY,
  ));

test("cropping each sample its own way has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(anyImage, side, side, (shape, height, width) => {
      const [n, , h, w] = shape as [number, number, number, number];
      return expectGradient(
        (x, rows, columns) => cropAndResize(x!, rows!, columns!),
        [shape, [n, height, h], [n, width, w]],
      );
    }),
    MANY,
  ));

test("a crop matrix reads only its span, from its first to its last pixel", async () => {
  const x = input("x", { dtype: "float32", shape: [1, 1, 1, 5] });
  const columns = interpolation(5, 3, "corners", { start: 1, length: 3 });
  const y = cropAndResize(
    x,
    constant(float32([1, 1, 1], [1])),
    constant(float32([1, 3, 5], columns.data as Float32Array)),
  );
  const result = await evaluateOnce({ y }, { x: float32([1, 1, 1, 5], [9, 1, 2, 3, 9]) });
  expect([...floats(result.y, "y")]).toEqual([1, 2, 3]);
});

test("matrices that do not sample the image are named", () => {
  const x = input("x", { dtype: "float32", shape: [2, 1, 4, 4] });
  const m = input("m", { dtype: "float32", shape: [2, 8, 5] });
  expect(() => cropAndResize(x, m, m)).toThrow(
    "rows float32[2, 8, 5] and columns float32[2, 8, 5] do not sample float32[2, 1, 4, 4]",
  );
});
