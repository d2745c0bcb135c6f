import { expect, test } from "vitest";
import { View } from "./view.js";

const level = { height: 1.5, focal: 1, pitch: 0, yaw: 0, roll: 0, offset: 0 };
const straight = { bend: 0, climb: 0 };

test("a point as high as the camera lies on the horizon, however far it is", () => {
  const view = new View(level, straight, 2);
  for (const z of [5, 50, 500]) expect(view.at(0, 1.5, z)).toEqual([512, 256]);
});

test("twice as far is half as large", () => {
  const view = new View(level, straight, 2);
  const width = (z: number): number => view.at(1, 0, z)[0] - view.at(-1, 0, z)[0];
  expect(width(20)).toBeCloseTo(width(10) / 2);
  expect(view.scale(10)).toBeCloseTo(width(10) / 2);
});

test("looking down moves the horizon up, and a bend to the right moves the far road right", () => {
  expect(new View({ ...level, pitch: 5 }, straight, 2).horizon).toBeLessThan(256);
  const view = new View(level, { bend: 10, climb: 0 }, 2);
  expect(view.at(0, 0, 100)[0]).toBeGreaterThan(view.at(0, 0, 20)[0]);
});
