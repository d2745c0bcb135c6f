import fc from "fast-check";
import { expect, test } from "vitest";
import { type Candidate, chooseImages } from "./chooseImages.js";

const image = (uncertain: number, ...shares: number[]): Candidate => ({ uncertain, shares: Float64Array.from(shares) });

test("the most uncertain image comes first, and one like it not before those that differ", () => {
  const images = [image(0.1, 0, 1), image(0.8, 0.5, 0.5), image(0.9, 1, 0), image(0.89, 1, 0)];
  expect(chooseImages(images, 2)).toEqual([2, 0]);
  expect(chooseImages(images.slice(1), 2)).toEqual([1, 0]);
  expect(chooseImages(images, 4)).toEqual([2, 0, 1, 3]);
});

test("images that are certain are not chosen because they differ", () => {
  const images = [...Array.from({ length: 4 }, () => image(0.5, 1, 0)), image(0.01, 0, 1)];
  expect(chooseImages(images, 2)).toEqual([0, 1]);
});

test("every choice has as many images as asked for, none twice, all among the 2 n most uncertain", () => {
  const candidate = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(candidate, { maxLength: 30 }), fc.integer({ min: 1, max: 12 }), (list, count) => {
      const images = list.map(([uncertain, share]) => image(uncertain, share, 1 - share));
      const chosen = chooseImages(images, count);
      expect(new Set(chosen).size).toBe(Math.min(count, images.length));
      const least =
        [...images]
          .sort((a, b) => b.uncertain - a.uncertain)
          .slice(0, 2 * count)
          .at(-1)?.uncertain ?? 0;
      for (const index of chosen) expect(images[index]!.uncertain).toBeGreaterThanOrEqual(least);
    }),
    { seed: 3 },
  );
});
