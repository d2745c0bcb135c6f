import { expect, test } from "vitest";
import { CollapseAlarm } from "./collapse.js";

const noted = (alarm: CollapseAlarm, shares: number[], times: number): (string | null)[] =>
  Array.from({ length: times }, () => alarm.note(shares));

test("T-9: one class with more than nine tenths of the pixels, 200 steps in a row, raises the alarm once", () => {
  const said = noted(new CollapseAlarm(), [0.02, 0.95, 0.03], 300);
  expect(said.findIndex((one) => one !== null)).toBe(199);
  expect(said.filter((one) => one !== null)).toHaveLength(1);
  expect(said[199]).toContain("class 1 has 95 % of all pixels");
});

test("T-9: little entropy is suspicious too", () => {
  // Neither class is above 90 %, but 0.15 and 0.85 have 0.42 nat.
  expect(noted(new CollapseAlarm(), [0.15, 0.85, 0], 200).at(-1)).toContain("entropy 0.42 nat");
});

test("T-9: a healthy step starts the count again, a step without valid pixels does not count", () => {
  const alarm = new CollapseAlarm({ steps: 3 });
  expect(noted(alarm, [1, 0, 0], 2)).toEqual([null, null]);
  expect(alarm.note([0.3, 0.3, 0.4])).toBeNull();
  expect(noted(alarm, [1, 0, 0], 2)).toEqual([null, null]);
  expect(alarm.note([0, 0, 0])).toBeNull();
  expect(alarm.note([1, 0, 0])).not.toBeNull();
});
