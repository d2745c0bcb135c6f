import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { gradients } from "../../engine/autodiff/gradients.js";
import { constant, input } from "../../engine/graph/value.js";
import { mul } from "../../engine/ops/elementwise.js";
import { sum } from "../../engine/ops/reduce.js";
import { float32, floats, int64 } from "../../engine/tensor/hostTensor.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import { batchPrototypes, detached, mostRecent, storedPrototypes } from "./prototypes.js";

/** Embeddings of four pixels in the plane: east, east, north, west; the last is void unless a test says otherwise. */
const embeddings = input("embeddings", { dtype: "float32", shape: [1, 2, 2, 2] });
const cells = input("cells", { dtype: "int64", shape: [1, 2, 2] });
const history = input("history", { dtype: "float32", shape: [2, 3] });
const feeds = {
  embeddings: float32([1, 2, 2, 2], [1, 1, 0, -1, 0, 0, 1, 0]),
  cells: int64([1, 2, 2], [0, 0, 0, VOID_LABEL]),
  history: float32([2, 3], [0, 0.6, 0, 1, 0.8, 0]),
};
const rounded = (values: Float32Array): number[] => Array.from(values, (x) => Number(x.toFixed(5)));

test("P-1: a prototype is the sum of its class's embeddings at length 1, column by column, without void", async () => {
  const { vectors, seen } = batchPrototypes(embeddings, cells, 3);
  const result = await evaluateOnce({ vectors, seen }, feeds);
  // Two to the east and one to the north; the void pixel to the west does not count.
  const length = Math.sqrt(5);
  expect(rounded(floats(result.vectors, "vectors"))).toEqual(
    [2 / length, 0, 0, 1 / length, 0, 0].map((x) => Number(x.toFixed(5))),
  );
  expect([...result.seen!.data]).toEqual([1, 0, 0]);
});

test("P-8: a class absent from the batch keeps its most recent prototype; P-9: one never seen stays unseen", async () => {
  const { vectors, seen } = mostRecent(batchPrototypes(embeddings, cells, 3), storedPrototypes(history));
  const result = await evaluateOnce({ vectors, seen }, feeds);
  const found = rounded(floats(result.vectors, "vectors"));
  expect([found[0], found[3]]).toEqual([0.89443, 0.44721]); // of this batch, not (0, 1) of the history
  expect([found[1], found[4]]).toEqual([0.6, 0.8]);
  expect([found[2], found[5]]).toEqual([0, 0]);
  expect([...result.seen!.data]).toEqual([1, 1, 0]);
});

test("P-9: no loss moves what came from the history, nor detached prototypes", async () => {
  const recent = mostRecent(batchPrototypes(embeddings, cells, 3), storedPrototypes(history));
  const weights = constant(float32([2, 3], [1, 2, 3, 4, 5, 6]));
  const [dEmbeddings, dHistory] = gradients(sum(mul(recent.vectors, weights)), [embeddings, history]);
  const [dDetached] = gradients(sum(mul(detached(recent).vectors, weights)), [embeddings]);
  const result = await evaluateOnce({ e: dEmbeddings!, h: dHistory!, d: dDetached! }, feeds);
  expect(floats(result.h, "history").every((x) => x === 0)).toBe(true);
  expect(floats(result.d, "detached").every((x) => x === 0)).toBe(true);
  const slope = floats(result.e, "embeddings");
  expect(slope.some((x) => x !== 0)).toBe(true);
  expect([slope[3], slope[7]]).toEqual([0, 0]); // the void pixel
});

test("P-1: its gradient agrees with finite differences", () =>
  expectGradient((z, labels) => batchPrototypes(z!, labels!, 3).vectors, [[2, 3, 2, 2]], {
    low: 0.2,
    high: 2,
    fixed: [int64([2, 2, 2], [0, 1, 0, VOID_LABEL, 1, 1, 0, 2])],
  }));
