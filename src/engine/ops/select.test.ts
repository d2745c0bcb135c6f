import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { MANY } from "../../../test/shapes.js";
import { input } from "../graph/value.js";
import { compile } from "../runtime/compile.js";
import { nodeRuntime } from "../runtime/node.js";
import { float32, floats, hostTensor, int64 } from "../tensor/hostTensor.js";
import { greater, number } from "./elementwise.js";
import { sum } from "./reduce.js";
import { countTrue, histogram, kthLargest } from "./select.js";

test("the k-th largest is the one a sort finds, among the elements that take part", async () => {
  const count = 40;
  const x = input("x", { dtype: "float32", shape: [5, 8] });
  const among = input("among", { dtype: "bool", shape: [5, 8] });
  const k = input("k", { dtype: "int64", shape: [] });
  const program = await compile(nodeRuntime(), { outputs: { y: kthLargest(x, among, k, -9) } });
  // Few distinct values, so that ties abound.
  const element = fc.record({ value: fc.constantFrom(-1, -0.5, 0, 0.25, 0.25000003, 1), takesPart: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(element, { minLength: count, maxLength: count }), fc.nat(), async (elements, pick) => {
      const part = elements.filter((one) => one.takesPart).map((one) => Math.fround(one.value));
      const rank = part.length === 0 ? 1 : (pick % part.length) + 1;
      const { y } = await program.run({
        x: float32(
          [5, 8],
          elements.map((one) => one.value),
        ),
        among: hostTensor(
          "bool",
          [5, 8],
          Uint8Array.from(elements, (one) => Number(one.takesPart)),
        ),
        k: int64([], [rank]),
      });
      expect(floats(y, "y")[0]).toBe(part.sort((a, b) => b - a)[rank - 1] ?? -9);
    }),
    MANY,
  );
  await program.close();
});

test("elements and a mask of another shape are named", () => {
  const x = input("x", { dtype: "float32", shape: [4] });
  const k = input("k", { dtype: "int64", shape: [] });
  expect(() => kthLargest(x, input("among", { dtype: "bool", shape: [3] }), k, 0)).toThrow(
    "KthLargest: bool[3] does not say which elements of float32[4] take part",
  );
});

test("a histogram counts every number once", async () => {
  const ids = input("ids", { dtype: "int64", shape: [2, 3] });
  const { y } = await evaluateOnce({ y: histogram(ids, 4) }, { ids: int64([2, 3], [3, 0, 3, 3, 1, 0]) });
  expect([...y!.data]).toEqual([2, 1, 0, 3]);
});

test("true elements are counted as whole numbers", async () => {
  const x = input("x", { dtype: "float32", shape: [5] });
  const { y } = await evaluateOnce({ y: countTrue(greater(x, number(2))) }, { x: float32([5], [1, 2, 3, 4, 5]) });
  expect(y!.data[0]).toBe(3n);
});

test("a sum of whole numbers is exact where floats run out of digits", async () => {
  const ids = input("ids", { dtype: "int64", shape: [3] });
  const { y } = await evaluateOnce({ y: sum(ids) }, { ids: int64([3], [2 ** 24, 1, 2]) });
  expect(y!.data[0]).toBe(16777219n);
});
