import { expect, test } from "vitest";
import { onwardFrom, type Stage } from "./stage.js";

const stage = (name: string, steps: number, needless: string | null = null): Stage => ({
  name,
  steps,
  build: () => expect.fail("not to be built"),
  takeOver: async (state) => state,
  needless: () => needless,
  streams: () => [],
  rate: () => 1,
});

test("a training goes on in the stage that its next step belongs to", () => {
  const stages = [stage("a", 3), stage("b", 2)];
  expect([0, 2, 3, 5].map((done) => onwardFrom(done, stages, {}))).toEqual([
    { index: 0, before: 0, done: 0, reasons: [] },
    { index: 0, before: 0, done: 2, reasons: [] },
    { index: 1, before: 3, done: 0, reasons: [] },
    { index: 1, before: 3, done: 2, reasons: [] },
  ]);
});

test("needless stages are passed over, with their reasons, as if they were done; but not one that has begun", () => {
  const stages = [stage("a", 3), stage("b", 2, "no b"), stage("c", 4, "no c"), stage("d", 1)];
  expect(onwardFrom(3, stages, {})).toEqual({ index: 3, before: 9, done: 0, reasons: ["no b", "no c"] });
  expect(onwardFrom(4, stages, {})).toMatchObject({ index: 1, done: 1, reasons: [] });
  expect(onwardFrom(3, stages.slice(0, 3), {})).toEqual({ index: 2, before: 5, done: 4, reasons: ["no b", "no c"] });
});
