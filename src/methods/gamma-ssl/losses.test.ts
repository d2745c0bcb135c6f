import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { gradients } from "../../engine/autodiff/gradients.js";
import { constant, input, type Value } from "../../engine/graph/value.js";
import { l2Normalise } from "../../engine/ops/reduce.js";
import { float32, floats, hostTensor, int64 } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import { consistencyLoss, prototypeLoss, uniformityLoss } from "./losses.js";
import { batchPrototypes, mostRecent, storedPrototypes } from "./prototypes.js";

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

const value = async (y: Value): Promise<number> => floats((await evaluateOnce({ y }, {})).y, "y")[0]!;
/** Points of the plane, one a pixel. */
const plane = (...points: readonly (readonly [number, number])[]): Value =>
  constant(float32([1, 2, 1, points.length], [...points.map(([x]) => x), ...points.map(([, y]) => y)]));

test("L-6: two opposite points: mean exp(-8), hence -8; as printed, twice exp(-8) over two points", async () => {
  const opposite = plane([1, 0], [-1, 0]);
  expect(await value(uniformityLoss(opposite, { form: "log-mean" }))).toBeCloseTo(-8, 4);
  expect(await value(uniformityLoss(opposite, { form: "paper-sum" }))).toBeCloseTo(Math.exp(-8), 8);
});

test("L-5: three points, by hand", async () => {
  // East, north and west: two pairs at squared distance 2, one at 4.
  const points = plane([1, 0], [0, 1], [-1, 0]);
  const sum = 2 * Math.exp(-4) + Math.exp(-8);
  expect(await value(uniformityLoss(points, { form: "log-mean" }))).toBeCloseTo(Math.log(sum / 3), 4);
  expect(await value(uniformityLoss(points, { form: "paper-sum" }))).toBeCloseTo((2 * sum) / 3, 6);
  const slower = 2 * Math.exp(-2) + Math.exp(-4);
  expect(await value(uniformityLoss(points, { form: "log-mean", sharpness: 1 }))).toBeCloseTo(Math.log(slower / 3), 4);
});

test("L-13: points that all coincide have loss 0 and a finite slope; a single point has loss 0", async () => {
  const x = input("x", { dtype: "float32", shape: [1, 2, 2, 2] });
  const loss = uniformityLoss(l2Normalise(x, 1), { form: "log-mean" });
  const [dx] = gradients(loss, [x]);
  const found = await evaluateOnce({ loss, dx: dx! }, { x: float32(x.shape, [3, 3, 3, 3, 4, 4, 4, 4]) });
  expect(floats(found.loss, "loss")[0]).toBeCloseTo(0, 4);
  expect(floats(found.dx, "dx").every(Number.isFinite)).toBe(true);
  expect(await value(uniformityLoss(plane([1, 0]), { form: "log-mean" }))).toBe(0);
});

test("L-7: blocks of any size give the loss and the gradient of one product over all pairs", async () => {
  const shape = [2, 6, 3, 5];
  const draw = random("uniformity");
  const x = input("x", { dtype: "float32", shape });
  const feeds = { x: float32(shape, Float32Array.from({ length: 180 }, draw.normal)) };
  const run = async (block: number) => {
    const loss = uniformityLoss(l2Normalise(x, 1), { form: "log-mean", block });
    const [dx] = gradients(loss, [x]);
    const found = await evaluateOnce({ loss, dx: dx! }, feeds);
    return [...floats(found.loss, "loss"), ...floats(found.dx, "dx")];
  };
  const whole = await run(100);
  for (const block of [30, 16, 7, 1]) {
    (await run(block)).forEach((found, i) => {
      expect(found).toBeCloseTo(whole[i]!, 5);
    });
  }
});

test("L-7: its gradient, through the normalisation, agrees with finite differences", async () => {
  for (const form of ["log-mean", "paper-sum"] as const) {
    await expectGradient((x) => uniformityLoss(l2Normalise(x!, 1), { form, block: 3 }), [[2, 3, 2, 2]], {
      low: 0.3,
      high: 1.5,
    });
  }
});

const nearestOf = async (classes: number, columns: number[]): Promise<number> => {
  const loss = prototypeLoss(storedPrototypes(constant(float32([2, classes], columns))));
  return floats((await evaluateOnce({ loss }, {})).loss, "loss")[0]!;
};

test("L-8: two orthogonal prototypes have loss 0, two identical ones 1, two opposite ones -1", async () => {
  expect(await nearestOf(2, [1, 0, 0, 1])).toBeCloseTo(0, 6);
  expect(await nearestOf(2, [1, 1, 0, 0])).toBeCloseTo(1, 6);
  expect(await nearestOf(2, [1, -1, 0, 0])).toBeCloseTo(-1, 6);
});

test("L-8: each prototype counts its nearest neighbour only", async () => {
  // East, (0.6, 0.8) and north: nearest similarities 0.6, 0.8 and 0.8.
  expect(await nearestOf(3, [1, 0.6, 0, 0, 0.8, 1])).toBeCloseTo((0.6 + 0.8 + 0.8) / 3, 6);
});

test("L-13: classes never seen are left out, and one class alone, or none, gives a finite loss", async () => {
  expect(await nearestOf(3, [1, 0, 0, 0, 1, 0])).toBeCloseTo(0, 6);
  expect(await nearestOf(3, [0.6, 1, 0, 0.8, 0, 0])).toBeCloseTo(0.6, 6);
  expect(Number.isFinite(await nearestOf(2, [1, 0, 0, 0]))).toBe(true);
  expect(await nearestOf(2, [0, 0, 0, 0])).toBeCloseTo(0, 6);
});

test("L-9: it moves the embeddings of the batch, and nothing that came from the history", async () => {
  const embeddings = input("embeddings", { dtype: "float32", shape: [1, 2, 1, 3] });
  const history = input("history", { dtype: "float32", shape: [2, 3] });
  const cells = constant(int64([1, 1, 3], [0, 1, VOID_LABEL]));
  const loss = prototypeLoss(mostRecent(batchPrototypes(embeddings, cells, 3), storedPrototypes(history)));
  const [dEmbeddings, dHistory] = gradients(loss, [embeddings, history]);
  const found = await evaluateOnce(
    { e: dEmbeddings!, h: dHistory! },
    { embeddings: float32([1, 2, 1, 3], [1, 0.6, 0, 0, 0.8, 1]), history: float32([2, 3], [0, 0, 0.8, 0, 0, 0.6]) },
  );
  const slope = floats(found.e, "embeddings");
  expect([slope[0], slope[1], slope[3], slope[4]].some((x) => x !== 0)).toBe(true);
  expect([slope[2], slope[5]]).toEqual([0, 0]);
  expect(floats(found.h, "history").every((x) => x === 0)).toBe(true);
});

test("L-8: its gradient agrees with finite differences", () => {
  const seen = constant(hostTensor("bool", [4], Uint8Array.of(1, 1, 0, 1)));
  return expectGradient((x) => prototypeLoss({ vectors: l2Normalise(x!, 0), seen }), [[3, 4]], { kinks: true });
});
