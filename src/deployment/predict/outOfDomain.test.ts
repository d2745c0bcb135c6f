import { expect, test } from "vitest";
import { leastCertain, outOfDomainRule } from "./outOfDomain.js";

const expected = { mean: 0.5, deviation: 0.1, lowest: 0.3, images: 40, on: "folder:town" };

test("an image is out of domain three deviations below the mean, and not for being a little unlike a few that were alike", () => {
  expect(leastCertain(expected)).toBeCloseTo(0.2);
  expect(leastCertain({ ...expected, deviation: 0 })).toBeCloseTo(0.44);
  expect(leastCertain({ ...expected, deviation: 0.3 })).toBe(0);
});

test("the rule says its numbers and where they are from", () => {
  expect(outOfDomainRule(expected)).toBe(
    "less than 0.200 of its pixels certain: 3 standard deviations below the mean of 0.500 on folder:town",
  );
});
