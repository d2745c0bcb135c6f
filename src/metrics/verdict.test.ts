import { expect, test } from "vitest";
import { judge, NOT_SCORED, policies, RIGHT, WRONG } from "./verdict.js";

const meaning = { classes: 2, unknown: [7], void: [255] };
const labels = Uint8Array.of(0, 1, 7, 255);
const predicted = Uint8Array.of(0, 0, 1, 1);
const judged = (policy: keyof typeof policies) => [...judge("a", labels, predicted, meaning, policies[policy])];

test("the paper counts unknown classes as wrong and leaves void out", () => {
  expect(judged("paper")).toEqual([RIGHT, WRONG, WRONG, NOT_SCORED]);
});

test("the authors' tester counts both as wrong", () => {
  expect(judged("official")).toEqual([RIGHT, WRONG, WRONG, WRONG]);
});

test("usual segmentation scoring leaves both out", () => {
  expect(judged("known")).toEqual([RIGHT, WRONG, NOT_SCORED, NOT_SCORED]);
});

test("predicting the unknown id on an unknown pixel does not make it right", () => {
  expect([...judge("a", Uint8Array.of(7), Uint8Array.of(7), meaning)]).toEqual([WRONG]);
});

test("a label that means nothing is refused with image, pixel and value", () => {
  expect(() => judge("a", Uint8Array.of(0, 9), Uint8Array.of(0, 0), meaning)).toThrow(
    "a: label 9 at pixel 1 is neither",
  );
  expect(() => judge("a", Int16Array.of(-1), Int16Array.of(0), meaning)).toThrow("label -1 at pixel 0");
});

test("labels and predictions of different size are refused", () => {
  expect(() => judge("a", labels, Uint8Array.of(1), meaning)).toThrow("a: 4 labels, but 1 predictions");
});
