import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import type { BatchPlan } from "./batchPlan.js";
import { type CacheMemory, cacheMemory, ImageCache } from "./imageCache.js";

const planOf = (count: number): BatchPlan => ({
  seed: 0,
  noises: [],
  streams: [
    {
      kind: "labelled",
      name: "s",
      size: 1,
      dataset: {
        spec: "",
        labelling: null,
        items: Array.from({ length: count }, (_, i) => ({ id: `${i}`, image: "", labels: null })),
      },
      view: { height: 1, crop: [1, 1], scale: [1, 1], flip: 0, local: { chance: 0, side: [1, 1] }, colour: "off" },
    },
  ],
});

const image = (value: number, width: number, height: number) => ({
  width,
  height,
  rgb: new Uint8Array(3 * width * height).fill(value),
  labels: value % 2 ? new Uint8Array(width * height).fill(value) : null,
});

test("an image comes back as it was kept, with labels or without", () => {
  const cache = new ImageCache(cacheMemory(planOf(4), 10_000));
  cache.keep(2, image(7, 5, 3));
  cache.keep(3, image(8, 2, 9));
  expect(cache.get(2)).toEqual(image(7, 5, 3));
  expect(cache.get(3)).toEqual(image(8, 2, 9));
  expect(cache.get(0)).toBeUndefined();
});

test("a slot is written once", () => {
  const cache = new ImageCache(cacheMemory(planOf(1), 10_000));
  cache.keep(0, image(1, 2, 2));
  cache.keep(0, image(2, 2, 2));
  expect(cache.get(0)).toEqual(image(1, 2, 2));
});

test("when there is no room an image is not kept, and a smaller one still may be", () => {
  const cache = new ImageCache(cacheMemory(planOf(3), 1000));
  cache.keep(0, image(2, 20, 10));
  cache.keep(1, image(4, 20, 10));
  cache.keep(2, image(6, 10, 4));
  expect(cache.get(0)).toBeDefined();
  expect(cache.get(1)).toBeUndefined();
  expect(cache.get(2)).toBeDefined();
  expect(cache.bytes).toBeLessThanOrEqual(1000);
});

test("memory is taken in slabs as images come in, never beyond the limit", () => {
  const memory = cacheMemory(planOf(60), 20 * 2 ** 20);
  const cache = new ImageCache(memory);
  expect(memory.pixels.byteLength).toBe(0);
  cache.keep(0, image(2, 10, 10));
  expect(memory.pixels.byteLength).toBe(16 * 2 ** 20);
  for (let slot = 1; slot < 60; slot++) cache.keep(slot, image(2, 500, 400));
  expect(memory.pixels.byteLength).toBe(20 * 2 ** 20);
  expect(cache.bytes).toBeLessThanOrEqual(20 * 2 ** 20);
});

test("memory that the system does not give is an error with a hint", () => {
  expect(() => cacheMemory(planOf(1), 2 ** 52)).toThrow("cannot reserve");
});

test("without memory nothing is kept", () => {
  const cache = new ImageCache(cacheMemory(planOf(1), 0));
  cache.keep(0, image(1, 1, 1));
  expect(cache.get(0)).toBeUndefined();
});

test("threads that write the same slots at the same time leave every image whole", async () => {
  const slots = 400;
  const memory = cacheMemory(planOf(slots), 64 * 2 ** 20);
  await Promise.all([1, 2, 3].map((value) => fillFromThread(memory, slots, value)));
  const cache = new ImageCache(memory);
  const taken: [number, number][] = [];
  for (let slot = 0; slot < slots; slot++) {
    const { width, height, rgb } = cache.get(slot)!;
    expect(width).toBe(20 + rgb[0]!); // each thread has a width of its own
    expect(rgb.length).toBe(3 * width * height);
    expect(rgb.every((value) => value === rgb[0])).toBe(true);
    taken.push([rgb.byteOffset, rgb.byteOffset + rgb.byteLength]);
  }
  taken.sort(([a], [b]) => a - b);
  for (let i = 1; i < taken.length; i++) expect(taken[i]![0]).toBeGreaterThanOrEqual(taken[i - 1]![1]);
});

async function fillFromThread(memory: CacheMemory, slots: number, value: number): Promise<void> {
  const built = pathToFileURL(resolve("dist/data/loader/imageCache.js")).href;
  const code = `
    const { workerData: { memory, slots, value } } = require("node:worker_threads");
    import(${JSON.stringify(built)}).then(({ ImageCache }) => {
      const cache = new ImageCache(memory);
      const width = 20 + value;
      for (let slot = 0; slot < slots; slot++) {
        cache.keep(slot, { width, height: 900, rgb: new Uint8Array(3 * width * 900).fill(value), labels: null });
      }
    });`;
  const worker = new Worker(code, { eval: true, workerData: { memory, slots, value } });
  await new Promise((done, failed) => worker.on("exit", done).on("error", failed));
}
