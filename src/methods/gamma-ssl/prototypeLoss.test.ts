import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { gradients } from "../../engine/autodiff/gradients.js";
import { constant, input } from "../../engine/graph/value.js";
import { l2Normalise } from "../../engine/ops/reduce.js";
import { float32, floats, hostTensor, int64 } from "../../engine/tensor/hostTensor.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import { prototypeLoss } from "./prototypeLoss.js";
import { batchPrototypes, mostRecent, storedPrototypes } from "./prototypes.js";

const lossOf = async (classes: number, columns: number[]): Promise<number> => {
  const loss = prototypeLoss(storedPrototypes(constant(float32([2, classes], columns))));
  return floats((await evaluateOnce({ loss }, {})).loss, "loss")[0]!;
};

test("L-8: two orthogonal prototypes have loss 0, two identical ones 1, two opposite ones -1", async () => {
  expect(await lossOf(2, [1, 0, 0, 1])).toBeCloseTo(0, 6);
  expect(await lossOf(2, [1, 1, 0, 0])).toBeCloseTo(1, 6);
  expect(await lossOf(2, [1, -1, 0, 0])).toBeCloseTo(-1, 6);
});

test("L-8: each prototype counts its nearest neighbour only", async () => {
  // East, (0.6, 0.8) and north: nearest similarities 0.6, 0.8 and 0.8.
  expect(await lossOf(3, [1, 0.6, 0, 0, 0.8, 1])).toBeCloseTo((0.6 + 0.8 + 0.8) / 3, 6);
});

test("L-13: classes never seen are left out, and one class alone, or none, gives a finite loss", async () => {
  expect(await lossOf(3, [1, 0, 0, 0, 1, 0])).toBeCloseTo(0, 6);
  expect(await lossOf(3, [0.6, 1, 0, 0.8, 0, 0])).toBeCloseTo(0.6, 6);
  expect(Number.isFinite(await lossOf(2, [1, 0, 0, 0]))).toBe(true);
  expect(await lossOf(2, [0, 0, 0, 0])).toBeCloseTo(0, 6);
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
