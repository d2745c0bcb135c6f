import fc from "fast-check";
import { expect, test } from "vitest";
import { ratioOf } from "./bootstrap.js";
import { matchedInterval, matchedThreshold, thresholdForPixels } from "./matchedThreshold.js";
import { resolutions } from "./sketchSet.js";
import { image, sketchOf } from "./testing/pixels.js";
import type { Pixel } from "./testing/reference.js";

const exact = (...images: Pixel[][]) => sketchOf(images, resolutions.exact);
const pixels = (...of: [number, boolean][]): Pixel[] => of.map(([u, right]) => ({ u: Math.fround(u), right }));

test("worked by hand: of five pixels three are right, so the third surest is the threshold", () => {
  const set = exact(pixels([0.1, true], [0.2, false], [0.3, true], [0.4, true], [0.5, false]));
  expect(matchedThreshold(set.total)).toBe(Math.fround(0.3));
  expect(thresholdForPixels(set.total, 5)).toBe(0.5);
  expect(thresholdForPixels(set.total, 99)).toBe(0.5);
});

test("where no pixel is right the surest stays, where all are right everything does, and of nothing there is none", () => {
  expect(matchedThreshold(exact(pixels([0.3, false], [0.2, false])).total)).toBe(Math.fround(0.2));
  expect(matchedThreshold(exact(pixels([0.3, true], [0.7, true])).total)).toBe(Math.fround(0.7));
  expect(matchedThreshold(exact([]).total)).toBeNull();
});

test("ties are let in together", () => {
  const set = exact(pixels([0.25, true], [0.25, false], [0.25, false], [0.5, false]));
  expect(matchedThreshold(set.total)).toBe(0.25);
});

test("the same as sorting all pixels, however they are spread over images", () => {
  fc.assert(
    fc.property(fc.array(image, { minLength: 1, maxLength: 4 }), (images) => {
      const all = images.flat();
      const rights = all.filter(({ right }) => right).length;
      const sorted = Float32Array.from(all, ({ u }) => u).sort();
      const found = matchedThreshold(exact(...images).total);
      if (all.length === 0) expect(found).toBeNull();
      else expect(found! + 0).toBe(sorted[Math.max(1, rights) - 1]! + 0);
    }),
  );
});

test("an interval holds the threshold, and is a point where all images are alike", () => {
  const one = pixels([0.1, true], [0.2, true], [0.3, false], [0.4, false]);
  expect(matchedInterval(exact(one, one, one))).toEqual({ low: Math.fround(0.2), high: Math.fround(0.2) });
  const other = pixels([0.1, true], [0.2, true], [0.3, true], [0.4, true]);
  const set = exact(one, one, other, other);
  const { low, high } = matchedInterval(set)!;
  expect(low).toBeLessThan(high);
  expect(matchedThreshold(set.total)).toBeGreaterThanOrEqual(low);
  expect(matchedThreshold(set.total)).toBeLessThanOrEqual(high);
  expect(matchedInterval(exact(one))).toBeNull();
});

test("a ratio of sums is not a mean of ratios, and strays as images differ", () => {
  const found = ratioOf([
    { part: 1, whole: 1 },
    { part: 0, whole: 99 },
  ]);
  expect(found.value).toBe(0.01);
  expect(found.interval).toEqual({ low: 0, high: 1 });
  expect(ratioOf([{ part: 0, whole: 0 }])).toEqual({ value: null, interval: null });
  expect(ratioOf([{ part: 1, whole: 2 }])).toEqual({ value: 0.5, interval: null });
});
