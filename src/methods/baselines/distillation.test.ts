import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { constant } from "../../engine/graph/value.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { meanProbabilities, softTargetLoss, uncertaintyLoss } from "./distillation.js";

/** Two draws of one image of two pixels; probabilities [[0.8, 0.2], [0.5, 0.5]] and [[0.4, 0.6], [0.5, 0.5]] by pixel. */
const draws = constant(
  float32(
    [2, 2, 1, 2],
    [Math.log(0.8), Math.log(0.5), Math.log(0.2), Math.log(0.5), Math.log(0.4), 0, Math.log(0.6), 0],
  ),
);
const teacher = meanProbabilities(draws, 2);
const h = (p: number): number => -p * Math.log(p) - (1 - p) * Math.log(1 - p);

test("B-4: the teacher's probabilities are the mean over draws, image by image", async () => {
  const { teacher: found } = await evaluateOnce({ teacher }, {});
  expect([...floats(found, "teacher")].map((p) => Number(p.toFixed(5)))).toEqual([0.6, 0.5, 0.4, 0.5]);
});

test("B-4: soft targets cost the cross-entropy to the student, which is least where both agree", async () => {
  const agreeing = constant(float32([1, 2, 1, 2], [Math.log(0.6), 0, Math.log(0.4), 0]));
  const other = constant(float32([1, 2, 1, 2], [0, 0, 0, 0]));
  const found = await evaluateOnce({ a: softTargetLoss(agreeing, teacher), b: softTargetLoss(other, teacher) }, {});
  expect(floats(found.a, "a")[0]).toBeCloseTo((h(0.6) + h(0.5)) / 2, 5);
  expect(floats(found.b, "b")[0]).toBeCloseTo(Math.log(2), 5);
  await expectGradient((logits) => softTargetLoss(logits, teacher), [[1, 2, 1, 2]]);
});

test("B-4: an uncertainty head costs its squared distance to the entropy of the teacher's mean", async () => {
  const predicted = constant(float32([1, 1, 1, 2], [h(0.6), h(0.5) - 0.2]));
  const { loss } = await evaluateOnce({ loss: uncertaintyLoss(predicted, teacher) }, {});
  expect(floats(loss, "loss")[0]).toBeCloseTo(0.02, 5);
  await expectGradient((x) => uncertaintyLoss(x, teacher), [[1, 1, 1, 2]]);
});
