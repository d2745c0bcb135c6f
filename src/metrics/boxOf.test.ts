import { expect, test } from "vitest";
import { boxOf } from "./boxOf.js";

test("a box has quartiles, whiskers at values within one and a half of its height, and the rest as outliers", () => {
  // Quartiles 2 and 5: whiskers reach at most from -2.5 to 9.5.
  expect(boxOf([5, 1, 2, 3, 20])).toEqual({
    lowerQuartile: 2,
    median: 3,
    upperQuartile: 5,
    low: 1,
    high: 5,
    outliers: [20],
  });
});

test("one value is a box without height", () => {
  expect(boxOf([0.7])).toEqual({
    lowerQuartile: 0.7,
    median: 0.7,
    upperQuartile: 0.7,
    low: 0.7,
    high: 0.7,
    outliers: [],
  });
});
