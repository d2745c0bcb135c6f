import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { gradients } from "../../engine/autodiff/gradients.js";
import { constant, input } from "../../engine/graph/value.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { consistencyLoss } from "./consistencyLoss.js";

const target = input("target", { dtype: "float32", shape: [1, 2, 1, 3] });
const query = input("query", { dtype: "float32", shape: [1, 2, 1, 3] });
const weight = input("weight", { dtype: "float32", shape: [1, 1, 3] });

/** Scores as odds, so that probabilities can be read off: classes first, then pixels. */
async function lossOf(odds: { target: number[]; query: number[] }, weights: number[]) {
  const loss = consistencyLoss(target, query, weight);
  const [dTarget, dQuery, dWeight] = gradients(loss, [target, query, weight]);
  const feeds = {
    target: float32(target.shape, odds.target.map(Math.log)),
    query: float32(query.shape, odds.query.map(Math.log)),
    weight: float32(weight.shape, weights),
  };
  const found = await evaluateOnce({ loss, dTarget: dTarget!, dQuery: dQuery!, dWeight: dWeight! }, feeds);
  const list = (name: string): number[] => [...floats(found[name], name)];
  return { loss: list("loss")[0]!, dTarget: list("dTarget"), dQuery: list("dQuery"), dWeight: list("dWeight") };
}

test("L-1: a hand-worked case: two certain pixels, one uncertain", async () => {
  // p' is (3/4, 1/4), (1/2, 1/2); p is (1/2, 1/2), (1/5, 4/5). The third pixel is uncertain.
  const odds = { target: [3, 1, 9, 1, 1, 1], query: [1, 1, 1, 1, 4, 7] };
  const { loss, dQuery } = await lossOf(odds, [1, 1, 0]);
  const entropies = [Math.log(2), -(Math.log(1 / 5) + Math.log(4 / 5)) / 2];
  expect(loss).toBeCloseTo((entropies[0]! + entropies[1]!) / 2, 5);
  // The slope along a query score is (p - p') / 2.
  const wanted = [(1 / 2 - 3 / 4) / 2, (1 / 5 - 1 / 2) / 2, 0, (1 / 2 - 1 / 4) / 2, (4 / 5 - 1 / 2) / 2, 0];
  dQuery.forEach((slope, i) => {
    expect(slope).toBeCloseTo(wanted[i]!, 5);
  });
});

test("L-1: the head is the target and the prototypes the query: swapped, the loss is another", async () => {
  const [a, b] = [
    [3, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 4, 1],
  ];
  const one = await lossOf({ target: a, query: b }, [1, 1, 1]);
  const other = await lossOf({ target: b, query: a }, [1, 1, 1]);
  expect(Math.abs(one.loss - other.loss)).toBeGreaterThan(0.01);
});

test("L-3: without a certain pixel the loss is 0 and nothing learns", async () => {
  const { loss, dQuery } = await lossOf({ target: [3, 1, 9, 1, 1, 1], query: [1, 1, 1, 1, 4, 7] }, [0, 0, 0]);
  expect(loss).toBe(0);
  expect(dQuery.every((slope) => slope === 0)).toBe(true);
});

test("L-4: nothing flows back to the target or the mask", async () => {
  const { dTarget, dWeight } = await lossOf({ target: [3, 1, 9, 1, 1, 1], query: [1, 1, 1, 1, 4, 7] }, [1, 0.5, 0]);
  expect([...dTarget, ...dWeight].every((slope) => slope === 0)).toBe(true);
});

test("L-13: scores far apart stay finite", async () => {
  const { loss, dQuery } = await lossOf(
    { target: [1e30, 1, 1, 1, 1e30, 1], query: [1e-30, 1, 1, 1e30, 1, 1] },
    [1, 1, 1],
  );
  expect(Number.isFinite(loss)).toBe(true);
  expect(dQuery.every(Number.isFinite)).toBe(true);
});

test("L-1: its gradient agrees with finite differences", () => {
  const other = constant(
    float32(
      [2, 3, 2, 2],
      Float32Array.from({ length: 24 }, (_, i) => Math.sin(i)),
    ),
  );
  const mask = constant(float32([2, 2, 2], [1, 0, 0.5, 1, 0, 1, 0.25, 1]));
  return expectGradient((scores) => consistencyLoss(other, scores!, mask), [[2, 3, 2, 2]]);
});
