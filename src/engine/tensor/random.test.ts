import { expect, test } from "vitest";
import { random } from "./random.js";

const many = (key: (number | string)[], count = 20_000) => {
  const { uniform } = random(...key);
  return Array.from({ length: count }, uniform);
};
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

test("the same key gives the same numbers, another key others", () => {
  expect(many([1, "flip"], 5)).toEqual(many([1, "flip"], 5));
  expect(many([1, "flip"], 5)).not.toEqual(many([1, "crop"], 5));
  expect(many([1, 23], 5)).not.toEqual(many([12, 3], 5));
});

test("the numbers do not change between versions: runs and images depend on them", () => {
  const { uniform } = random(0, 7, "sample", "flip");
  expect(Array.from({ length: 3 }, () => Math.floor(uniform() * 1e9))).toMatchInlineSnapshot(`
    [
      698467085,
      937396721,
      755981765,
    ]
  `);
});

test("uniform numbers fill [0, 1) evenly, also across neighbouring keys", () => {
  expect(mean(many(["a"]))).toBeCloseTo(0.5, 2);
  const firsts = Array.from({ length: 20_000 }, (_, step) => random(0, step, "flip").uniform());
  expect(mean(firsts)).toBeCloseTo(0.5, 2);
  expect(mean(firsts.map((x) => (x - 0.5) ** 2))).toBeCloseTo(1 / 12, 2);
  const neighbours = firsts.slice(1).map((x, i) => (x - 0.5) * (firsts[i]! - 0.5));
  expect(Math.abs(mean(neighbours))).toBeLessThan(0.002);
});

test("normal numbers have mean 0 and deviation 1", () => {
  const { normal } = random("normal");
  const values = Array.from({ length: 20_000 }, normal);
  expect(mean(values)).toBeCloseTo(0, 1);
  expect(mean(values.map((x) => x * x))).toBeCloseTo(1, 1);
});

test("below stays below", () => {
  const { below } = random("below");
  const seen = new Set(Array.from({ length: 200 }, () => below(3)));
  expect([...seen].sort()).toEqual([0, 1, 2]);
});
