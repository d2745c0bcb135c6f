import { expect, test } from "vitest";
import { SeededRandom } from "./seededRandom.js";

const draws = (chance: SeededRandom, count = 5): number[] => Array.from({ length: count }, () => chance.next());

test("the same key draws the same numbers, another key draws others", () => {
  expect(draws(new SeededRandom("0/city/train/1"))).toEqual(draws(new SeededRandom("0/city/train/1")));
  expect(draws(new SeededRandom("0/city/train/1"))).not.toEqual(draws(new SeededRandom("0/city/train/2")));
});

test("the first draws of a key are these, on every machine", () => {
  expect(draws(new SeededRandom("seed"), 3)).toMatchInlineSnapshot(`
    [
      0.932367397705093,
      0.9195698017720133,
      0.8502278223168105,
    ]
  `);
});

test("a child does not care what its parent drew before", () => {
  const parent = new SeededRandom("key");
  const early = draws(parent.child("trees"));
  parent.next();
  expect(draws(parent.child("trees"))).toEqual(early);
});

test("draws fill the unit interval evenly", () => {
  const chance = new SeededRandom("histogram");
  const bins = new Array<number>(10).fill(0);
  for (let i = 0; i < 20_000; i++) bins[Math.floor(chance.next() * 10)]!++;
  for (const count of bins) expect(Math.abs(count - 2000)).toBeLessThan(200);
});

test("whole numbers reach both ends and never pass them", () => {
  const chance = new SeededRandom("integers");
  const seen = new Set(Array.from({ length: 200 }, () => chance.integer(2, 4)));
  expect([...seen].sort()).toEqual([2, 3, 4]);
});

test("distances along the road keep their gaps and end where they are told to", () => {
  const zs = [...new SeededRandom("lamps").along([6, 20], [18, 28], { far: 90, most: 4 })].map(([z]) => z);
  expect(zs[0]).toBeGreaterThanOrEqual(6);
  expect(zs.length).toBeLessThanOrEqual(4);
  for (const [i, z] of zs.entries()) {
    expect(z).toBeLessThan(90);
    if (i > 0) expect(z - zs[i - 1]!).toBeGreaterThanOrEqual(18);
  }
  expect([...new SeededRandom("posts").along([5, 5], 12, { most: 3 })].map(([z]) => z)).toEqual([5, 17, 29]);
});

test("half of all distances are nearer than the middle of the image, not of the road", () => {
  const chance = new SeededRandom("distances");
  const near = Array.from({ length: 2000 }, () => chance.distance(5, 80)).filter((z) => z < 20).length;
  expect(Math.abs(near - 1000)).toBeLessThan(100);
});
