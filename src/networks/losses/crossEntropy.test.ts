import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { gradients } from "../../engine/autodiff/gradients.js";
import { input } from "../../engine/graph/value.js";
import { float32, floats, int64 } from "../../engine/tensor/hostTensor.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import { crossEntropy } from "./crossEntropy.js";

const logits = input("logits", { dtype: "float32", shape: [1, 2, 1, 3] });
const labels = input("labels", { dtype: "int64", shape: [1, 1, 3] });

async function lossOf(scores: number[], ids: number[]) {
  const loss = crossEntropy(logits, labels);
  const [slope] = gradients(loss, [logits]);
  const feeds = { logits: float32([1, 2, 1, 3], scores), labels: int64([1, 1, 3], ids) };
  const results = await evaluateOnce({ loss, slope: slope! }, feeds);
  return { loss: floats(results.loss, "loss")[0]!, slope: [...floats(results.slope, "slope")] };
}

test("a hand-worked case: two pixels, one void", async () => {
  // p(label) is 3/4 for the first pixel (odds 3 to 1) and 1/2 for the second; the third is not graded.
  const { loss, slope } = await lossOf([Math.log(3), 0, 9, 0, 0, -9], [0, 1, VOID_LABEL]);
  expect(loss).toBeCloseTo((Math.log(4 / 3) + Math.log(2)) / 2, 6);
  const expected = [-0.125, 0.25, 0, 0.125, -0.25, 0];
  for (const [i, value] of slope.entries()) expect(value).toBeCloseTo(expected[i]!, 6);
});

test("a batch with no labelled pixel has loss 0 and no slope", async () => {
  const { loss, slope } = await lossOf([1, 2, 3, 4, 5, 6], [VOID_LABEL, VOID_LABEL, VOID_LABEL]);
  expect(loss).toBe(0);
  expect(slope.every((value) => value === 0)).toBe(true);
});

test("scores of any size stay finite", async () => {
  const { loss, slope } = await lossOf([1e4, -1e4, 0, -1e4, 1e4, 0], [1, 0, 0]);
  expect(loss).toBeCloseTo((2e4 + 2e4 + Math.log(2)) / 3, 0);
  expect(slope.every(Number.isFinite)).toBe(true);
});

test("its gradient agrees with finite differences", () =>
  expectGradient((scores, ids) => crossEntropy(scores!, ids!), [[2, 3, 2, 2]], {
    fixed: [int64([2, 2, 2], [0, 1, 2, VOID_LABEL, 2, 2, 0, 1])],
  }));

test("labels that do not cover the logits are named", () => {
  expect(() => crossEntropy(logits, input("labels", { dtype: "int64", shape: [1, 2, 3] }))).toThrow(
    "crossEntropy: labels int64[1, 2, 3] do not cover logits float32[1, 2, 1, 3]",
  );
});
