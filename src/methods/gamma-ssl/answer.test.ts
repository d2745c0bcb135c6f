import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { constant, type Value } from "../../engine/graph/value.js";
import { mean } from "../../engine/ops/reduce.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { answerOf, sized } from "./answer.js";
import type { GammaOptions } from "./options.js";
import { sharpened } from "./segmentation.js";

/** Two pixels, two classes: the first scores of both pixels, then the second ones. */
const scores = (...values: readonly number[]) => constant(float32([1, 2, 1, 2], values));
const TEMPERATURE = 0.5;
const sharp = sharpened(scores(1, 1, 0, 0), TEMPERATURE); // the first class twice, at odds of e² to 1
const logits = scores(3, 0, 0, 1); // the first class at e³ to 1, the second at e to 1
/** A share at odds of e^x to 1. */
const odds = (x: number): number => 1 / (1 + Math.exp(-x));

const asTheyAre = (maps: Value): Value => maps;
const both = (logits: Value) => ({
  sharp: sized(sharp, asTheyAre),
  logits: sized(logits, asTheyAre),
  enlarge: asTheyAre,
});

async function answers(classFrom: GammaOptions["classFrom"], score: GammaOptions["score"]) {
  const options = { classFrom, score, temperature: TEMPERATURE };
  const found = await evaluateOnce({ ...answerOf(both(logits), options) }, {});
  return { predicted: [...found.predicted!.data].map(Number), sure: [...floats(found.sure, "sure")] };
}

test("where the head is the less sure, it decides", async () => {
  const doubtful = scores(1, 0, 0, 1); // e to 1 for what prototypes say at e² to 1, then e to 1 against them
  const options = { classFrom: "head", score: "lesser", temperature: TEMPERATURE } as const;
  const { sure } = await evaluateOnce({ ...answerOf(both(doubtful), options) }, {});
  expect([...floats(sure, "sure")]).toEqual([odds(1), odds(-2)].map((value) => expect.closeTo(value, 5)));
});

test("the lesser probability of a pixel between two others is in between, of the class that the enlarged scores name", async () => {
  // One pixel in two, halfway between the two that there are: scores of 1.5 and 0.5 name the first class.
  const between = (maps: Value): Value => mean(maps, [3], { keep: true });
  const inputs = { sharp: sized(sharp, between), logits: sized(logits, between), enlarge: between };
  const options = { classFrom: "head", score: "lesser", temperature: TEMPERATURE } as const;
  const { predicted, sure } = await evaluateOnce({ ...answerOf(inputs, options) }, {});
  expect([...predicted!.data].map(Number)).toEqual([0]);
  expect(floats(sure, "sure")[0]).toBeCloseTo((odds(2) + odds(-1)) / 2, 5);
});

test.each([
  ["head", "cosine", [0, 1], [1, 0]],
  ["head", "softmax", [0, 1], [odds(2), odds(-2)]],
  ["head", "lesser", [0, 1], [odds(2), odds(-2)]],
  ["prototypes", "cosine", [0, 0], [1, 1]],
  ["prototypes", "softmax", [0, 0], [odds(2), odds(2)]],
  ["prototypes", "lesser", [0, 0], [odds(2), odds(-1)]],
] as const)("named by the %s, score %s: worked by hand", async (classFrom, score, predicted, sure) => {
  const found = await answers(classFrom, score);
  expect(found.predicted).toEqual(predicted);
  expect(found.sure).toEqual(sure.map((value) => expect.closeTo(value, 5)));
});
