import fc from "fast-check";
import { expect, test } from "vitest";
import { interpolation } from "./interpolation.js";

const rows = (...args: Parameters<typeof interpolation>): number[][] => {
  const { shape, data } = interpolation(...args);
  return Array.from({ length: shape[0]! }, (_, r) =>
    Array.from(data.subarray(r * shape[1]!, (r + 1) * shape[1]!), Number),
  );
};

test("corners put the first and last sample on the first and last pixel", () => {
  expect(rows(3, 5, "corners")).toEqual([
    [1, 0, 0],
    [0.5, 0.5, 0],
    [0, 1, 0],
    [0, 0.5, 0.5],
    [0, 0, 1],
  ]);
});

test("centres treat pixels as squares", () => {
  expect(rows(2, 4, "centres")).toEqual([
    [1, 0],
    [0.75, 0.25],
    [0.25, 0.75],
    [0, 1],
  ]);
});

test("any crop to any size reads only its span, and its weights add up to one", () => {
  const pixels = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(
      pixels,
      pixels,
      fc.nat(19),
      pixels,
      fc.constantFrom("corners" as const, "centres" as const),
      (count, samples, from, length, alignment) => {
        const start = from % count;
        const span = { start, length: Math.min(length, count - start) };
        for (const row of rows(count, samples, alignment, span)) {
          expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
          row.forEach((weight, pixel) => {
            if (pixel < start || pixel >= start + span.length) expect(weight).toBe(0);
            else expect(weight).toBeGreaterThanOrEqual(0);
          });
        }
      },
    ),
    { numRuns: 200, seed: 1 },
  );
});
