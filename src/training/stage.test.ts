import { expect, test } from "vitest";
import { placeAfter, type Stage, stepsOf } from "./stage.js";

const stage = (name: string, steps: number): Stage => ({
  name,
  steps,
  build: () => expect.fail("not to be built"),
  carryOver: (state) => state,
  streams: () => [],
  rate: () => 1,
});

test("a training goes on in the stage that its next step belongs to", () => {
  const stages = [stage("a", 3), stage("b", 2), stage("c", 4)];
  expect([0, 2, 3, 4, 5].map((done) => placeAfter(done, stages))).toEqual([
    { index: 0, before: 0, done: 0 },
    { index: 0, before: 0, done: 2 },
    { index: 1, before: 3, done: 0 },
    { index: 1, before: 3, done: 1 },
    { index: 2, before: 5, done: 0 },
  ]);
});

test("after the last step a training stays at the end of its last stage", () => {
  const stages = [stage("a", 3), stage("b", 2)];
  expect(placeAfter(stepsOf(stages), stages)).toEqual({ index: 1, before: 3, done: 2 });
});
