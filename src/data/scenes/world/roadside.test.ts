import { expect, test } from "vitest";
import { beside, bothSides, rising } from "./roadside.js";
import { SeededRandom } from "./seededRandom.js";

test("a strip on the left mirrors the one on the right, from left to right", () => {
  expect(beside(1, 3, 5)).toEqual({ from: 3, to: 5 });
  expect(beside(-1, 3, 5)).toEqual({ from: -5, to: -3 });
  expect(rising(1, 0, 0.2)).toEqual([0, 0.2]);
  expect(rising(-1, 0, 0.2)).toEqual([0.2, 0]);
});

test("the two sides of a road do not draw from the same chance", () => {
  const draws: number[] = [];
  bothSides(new SeededRandom("road"), (side, chance) => draws.push(side, chance.next()));
  expect([draws[0], draws[2]]).toEqual([-1, 1]);
  expect(draws[1]).not.toBe(draws[3]);
});
