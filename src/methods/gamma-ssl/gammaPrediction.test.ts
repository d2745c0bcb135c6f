import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { constant } from "../../engine/graph/value.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { gammaPrediction, type PredictionOptions } from "./gammaPrediction.js";
import { sharpened } from "./segmentation.js";

/** Two pixels, two classes: the first scores of both pixels, then the second ones. */
const scores = (...values: readonly number[]) => constant(float32([1, 2, 1, 2], values));
const TEMPERATURE = 0.5;
const sharp = sharpened(scores(1, 0, 0, 0.5), TEMPERATURE); // the first class at odds of e² to 1, the second at e to 1
const logits = scores(0, 0, 3, 1); // the second class at e³ to 1, then at e to 1
/** A share at odds of e^x to 1. */
const odds = (x: number): number => 1 / (1 + Math.exp(-x));

test.each([
  ["prototypes", "cosine", [0, 1], [1, 0.5]],
  ["prototypes", "softmax", [0, 1], [odds(2), odds(1)]],
  // Scores of the head have no bounds, so that its confidence is a probability either way.
  ["head", "cosine", [1, 1], [odds(3), odds(1)]],
  ["head", "softmax", [1, 1], [odds(3), odds(1)]],
] as const)("query %s, score %s: worked by hand", async (query, score, predicted, confidence) => {
  const options: PredictionOptions = { branches: { target: "head", query }, score, temperature: TEMPERATURE };
  const found = await evaluateOnce({ ...gammaPrediction(options, { sharp: () => sharp, logits: () => logits }) }, {});
  expect([...found.predicted!.data].map(Number)).toEqual(predicted);
  expect([...floats(found.confidence, "confidence")]).toEqual(confidence.map((value) => expect.closeTo(value, 5)));
});

test("only the branch that answers is computed", () => {
  const options = (query: "head" | "prototypes"): PredictionOptions => ({
    branches: { target: "head", query },
    score: "softmax",
    temperature: TEMPERATURE,
  });
  const never = (): never => expect.fail("not to be looked at");
  expect(() => gammaPrediction(options("prototypes"), { sharp: () => sharp, logits: never })).not.toThrow();
  expect(() => gammaPrediction(options("head"), { sharp: never, logits: () => logits })).not.toThrow();
});
