import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeUncertainty, levelOfCode } from "./examples.js";

test("a code says exactly from which level on a pixel is certain", () => {
  const floats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(floats, (values) => {
      const sorted = [...new Set(values.map((value) => value + 0))].sort((a, b) => a - b);
      const levels = [-Number.MAX_VALUE, ...sorted.filter((_, i) => i % 3 === 0), sorted.at(-1)!];
      const distinct = levels.filter((level, i) => i === 0 || level > levels[i - 1]!);
      const codes = encodeUncertainty(Float32Array.from(values), distinct);
      for (const [i, value] of values.entries()) {
        for (const [k, level] of distinct.entries()) expect(levelOfCode(codes[i]!) <= k).toBe(value <= level);
      }
    }),
  );
});

test("codes rise with uncertainty between levels too", () => {
  const codes = encodeUncertainty(Float32Array.of(0.1, 0.2, 0.4, 0.5, 0.9), [0, 0.5, 1]);
  expect([...codes]).toEqual([52, 103, 205, 256, 461]);
});

test("what is above every level or no number gets the last code", () => {
  expect([...encodeUncertainty(Float32Array.of(2, Number.NaN), [0, 1])]).toEqual([65535, 65535]);
});
