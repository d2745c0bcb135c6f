import { expect, test } from "vitest";
import { Pace, secondsLeft, stageAt } from "./pace.js";

const stages = [
  { name: "pretraining", steps: 100, images: 4 },
  { name: "adaptation", steps: 50, images: 8 },
];

test("a step belongs to the stage that it is counted in", () => {
  expect([1, 100, 101, 150, 151].map((step) => stageAt(step, stages).index)).toEqual([0, 0, 1, 1, 1]);
  expect(stageAt(5, [])).toEqual({ index: 0, to: 0 });
});

test("the pace is the mean over the last minute of a stage", () => {
  const pace = new Pace();
  expect(pace.secondsPerStep).toBeUndefined();
  pace.note(10, 0, 1);
  pace.note(10, 5000, 1);
  expect(pace.secondsPerStep).toBeUndefined();
  for (let k = 1; k <= 100; k++) pace.note(10 + k, 1000 * k, 1);
  expect(pace.secondsPerStep).toBe(1);
  // Ten times as fast: after a minute nothing is left of what was before.
  for (let k = 1; k <= 700; k++) pace.note(110 + k, 100_000 + 100 * k, 1);
  expect(pace.secondsPerStep).toBeCloseTo(0.1, 6);
  // Another stage, and a run that was begun again, have a pace of their own.
  pace.note(901, 300_000, 901);
  expect(pace.secondsPerStep).toBeUndefined();
  pace.note(903, 304_000, 901);
  expect(pace.secondsPerStep).toBe(2);
  pace.note(1, 400_000, 1);
  expect(pace.secondsPerStep).toBeUndefined();
});

test("later stages take as long for an image as the present one", () => {
  expect(secondsLeft(60, stages, 2)).toBe(2 * (40 + (50 * 8) / 4));
  expect(secondsLeft(140, stages, 3)).toBe(30);
  expect(secondsLeft(150, stages, 3)).toBe(0);
});
