import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { anyShape, broadcastPair, MANY, shapeAndAxes } from "../../../test/shapes.js";
import { input, type Value } from "../graph/value.js";
import { float32, floats } from "../tensor/hostTensor.js";
import { broadcast, size } from "../tensor/shape.js";
import { concat, cut, flip, pad, reshape, slice, squeeze, stretchTo, transpose } from "./shaping.js";

const tensor = (...shape: number[]): Value => input("x", { dtype: "float32", shape });

test("reshape has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(anyShape, (shape) => expectGradient((x) => reshape(x!, [size(shape), 1]), [shape])),
    MANY,
  ));

test("squeeze takes out an axis of extent 1, and only such a one", async () => {
  await expectGradient((x) => squeeze(x!, 1), [[2, 1, 3]]);
  expect(squeeze(tensor(2, 1, 3), 1).shape).toEqual([2, 3]);
  expect(() => squeeze(tensor(2, 3), 1)).toThrow("Squeeze: axis 1 of float32[2, 3] is not 1");
});

test("transpose of any order has the right gradient", () => {
  const orders = anyShape.chain((shape) =>
    fc
      .shuffledSubarray(
        shape.map((_, i) => i),
        { minLength: shape.length },
      )
      .map((perm) => ({ shape, perm })),
  );
  return fc.assert(
    fc.asyncProperty(orders, ({ shape, perm }) => expectGradient((x) => transpose(x!, perm), [shape])),
    MANY,
  );
});

test("stretching adds up the gradients of the copies", () =>
  fc.assert(
    fc.asyncProperty(broadcastPair, ([a, b]) => {
      const full = broadcast("test", { dtype: "float32", shape: a }, { dtype: "float32", shape: b });
      return expectGradient((x) => stretchTo(x!, full), [a]);
    }),
    MANY,
  ));

test("concat hands each input its own span of the gradient", () =>
  fc.assert(
    fc.asyncProperty(anyShape, fc.nat(3), fc.integer({ min: 1, max: 3 }), (shape, where, extent) => {
      const axis = where % shape.length;
      return expectGradient((a, b, c) => concat([a!, b!, c!], axis), [shape, shape.with(axis, extent), shape]);
    }),
    MANY,
  ));

test("a cut along several axes in any steps has the right gradient", () => {
  const cuts = fc.array(
    fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), fc.nat(2)),
    { minLength: 1, maxLength: 3 },
  );
  return fc.assert(
    fc.asyncProperty(cuts, (axes) => {
      const shape = axes.map(([start, length, , rest]) => start + length + rest);
      const stretches = axes.map(([start, length, step], axis) => ({ axis, start, end: start + length, step }));
      return expectGradient((x) => cut(x!, stretches), [shape]);
    }),
    MANY,
  );
});

test("flip along any axes has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(shapeAndAxes, ({ shape, axes }) => expectGradient((x) => flip(x!, axes), [shape])),
    MANY,
  ));

test("zero padding has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(anyShape, fc.nat(2), fc.nat(3), (shape, before, after) =>
      expectGradient(
        (x) =>
          pad(
            x!,
            shape.map((_, i) => (i === 0 ? 0 : before)),
            shape.map(() => after),
          ),
        [shape],
      ),
    ),
    MANY,
  ));

test("a reflected border mirrors without repeating the edge", async () => {
  const { y } = await evaluateOnce({ y: pad(tensor(3), [2], [1], "reflect") }, { x: float32([3], [1, 2, 3]) });
  expect([...floats(y, "y")]).toEqual([3, 2, 1, 2, 3, 2]);
});

test("slicing everything is the tensor itself", () => {
  const x = tensor(4, 3);
  expect(slice(x, 0, 0, 4)).toBe(x);
});

test("shapes that do not line up are named", () => {
  expect(() => concat([tensor(1, 8, 4, 4), tensor(1, 3, 5, 4)], 1)).toThrow(
    "Concat: along axis 1 float32[1, 3, 5, 4] does not line up with float32[1, 8, 4, 4]",
  );
  expect(() => reshape(tensor(2, 3), [7])).toThrow("Reshape: float32[2, 3] has 6 elements, [7] has 7");
  expect(() => transpose(tensor(2, 3), [0, 0])).toThrow("Transpose: [0, 0] does not reorder the axes of float32[2, 3]");
  expect(() => slice(tensor(4), 0, 2, 6)).toThrow("Slice: 2..6 in steps of 1 does not lie on axis 0 of float32[4]");
  expect(() => pad(tensor(3), [3], [0], "reflect")).toThrow(
    "Pad: cannot pad axis 0 of float32[3] by 3 and 0 (reflect)",
  );
});
