import fc from "fast-check";
import { expect, test } from "vitest";
import { levelTable, MOST_LEVELS, thresholdLevels } from "./levels.js";
import { resolutions } from "./sketchSet.js";
import { image, sketchOf } from "./testing/pixels.js";
import { everyThreshold } from "./testing/reference.js";

const even = Array.from({ length: 20_000 }, (_, i) => ({ u: Math.fround((i / 20_000) ** 5), right: i % 3 > 0 }));

test("levels are even in pixels, however crowded the scores are", () => {
  const { total } = sketchOf([even]);
  const table = levelTable(total, thresholdLevels(total));
  expect(table.length).toBeGreaterThan(240);
  expect(table.length).toBeLessThanOrEqual(MOST_LEVELS);
  expect(table[0]!.certain).toBe(0);
  expect(table.at(-1)!.certain).toBe(1);
  const steps = table.slice(1).map(({ certain }, k) => certain - table[k]!.certain);
  expect(Math.max(...steps)).toBeLessThan(0.006);
});

test("a threshold asked for is a level, and no other level is within reach of it", () => {
  const { total } = sketchOf([even]);
  const asked = [0.01234, 0.4];
  const thresholds = thresholdLevels(total, asked);
  expect(thresholds).toEqual(expect.arrayContaining(asked));
  const table = levelTable(total, thresholds);
  for (const value of asked) {
    const at = table.findIndex(({ threshold }) => threshold === value);
    expect(table[at + 1]!.certain - table[at]!.certain).toBeGreaterThan(0.001);
  }
});

test("what the table says at a level is what counting all pixels says", () => {
  fc.assert(
    fc.property(image, (pixels) => {
      const { total } = sketchOf([pixels], resolutions.exact);
      const reference = everyThreshold(pixels);
      for (const level of levelTable(total, thresholdLevels(total))) {
        const { tp, fp, tn } = reference.findLast(({ threshold }) => threshold <= level.threshold)!;
        expect(level.pac).toBeCloseTo(tp / pixels.length, 12);
        expect(level.certain).toBeCloseTo((tp + fp) / pixels.length, 12);
        expect(level.amd).toBeCloseTo((tp + tn) / pixels.length, 12);
      }
    }),
  );
});

test("a constant score has two levels, nothing and everything; no pixel has none", () => {
  const { total } = sketchOf([even.map(({ right }) => ({ u: 0.5, right }))]);
  expect(levelTable(total, thresholdLevels(total)).map(({ certain }) => certain)).toEqual([0, 1]);
  expect(thresholdLevels(sketchOf([[]]).total)).toEqual([]);
});
