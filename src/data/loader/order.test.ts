import fc from "fast-check";
import { expect, test } from "vitest";
import { imagesOf, type OrderOptions } from "./order.js";

const options = { seed: 1, stream: "source", count: 23, size: 6 };
const positions = (given: OrderOptions, steps: number): number[] =>
  Array.from({ length: steps }, (_, step) => imagesOf(given, step)).flat();

test("A-7: every image comes once in each pass over the data set, whatever the sizes", () => {
  const some = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(some, some, fc.nat(100), (count, size, seed) => {
      const drawn = positions({ seed, stream: "s", count, size }, Math.ceil((5 * count) / size));
      for (let pass = 0; pass < 5; pass++) {
        expect(new Set(drawn.slice(pass * count, (pass + 1) * count)).size).toBe(count);
      }
    }),
    { numRuns: 200, seed: 1 },
  );
});

test("no image is in a batch twice if the data set holds two batches", () => {
  const sizes = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(sizes, fc.nat(20), fc.nat(100), (size, more, seed) => {
      for (let step = 0; step < 60; step++) {
        const batch = imagesOf({ seed, stream: "s", count: 2 * size + more, size }, step);
        expect(new Set(batch).size).toBe(size);
      }
    }),
    { numRuns: 200, seed: 1 },
  );
});

test("a batch larger than the data set takes every image, some again", () => {
  const batch = imagesOf({ ...options, count: 4, size: 10 }, 3);
  expect(batch).toHaveLength(10);
  expect(new Set(batch).size).toBe(4);
});

test("passes, streams and seeds differ in their order", () => {
  const orders = [options, { ...options, stream: "target" }, { ...options, seed: 2 }].map((given) =>
    positions(given, 4),
  );
  expect(new Set(orders.map((order) => order.join())).size).toBe(3);
  const two = positions(options, 8);
  expect(two.slice(0, 23)).not.toEqual(two.slice(23, 46));
});

test("every place in the order is equally likely for every image", () => {
  const counts = new Array<number>(5).fill(0);
  for (let seed = 0; seed < 2000; seed++) counts[imagesOf({ seed, stream: "s", count: 5, size: 1 }, 7)[0]!]!++;
  for (const count of counts) expect(Math.abs(count - 400)).toBeLessThan(80);
});
