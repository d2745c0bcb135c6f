import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { show } from "../../engine/tensor/shape.js";
import type { ViewOptions } from "../augment/view.js";
import type { BatchPlan, Stream } from "./batchPlan.js";
import { cacheMemory, ImageCache } from "./imageCache.js";
import { makeBatch } from "./makeBatch.js";
import { imagesOf } from "./order.js";
import { writeDataset } from "./testing/writtenDataset.js";

const view: ViewOptions = {
  height: 40,
  crop: [32, 64],
  scale: [0.7, 1.3],
  flip: 0.5,
  local: { chance: 0.5, side: [0.5, 0.9] },
  colour: { disturb: true, jitter: { brightness: 0.3, contrast: 0.3, saturation: 0.3, hue: 0.3 } },
};

let folder: string;
let source: Stream;
let target: Stream;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "batch-"));
  const dataset = await writeDataset(folder, { count: 5, width: 96, height: 60, labelled: true });
  source = { kind: "labelled", name: "source", dataset, size: 2, view };
  target = { kind: "pair", name: "target", dataset, size: 3, view, scoreStride: 8 };
});
afterAll(() => rm(folder, { recursive: true }));

const batchOf = (plan: BatchPlan, step: number): Promise<Tensors> =>
  makeBatch(plan, step, new ImageCache(cacheMemory(plan, 2 ** 20)));
const plan = (...streams: Stream[]): BatchPlan => ({ seed: 0, streams, noises: [{ name: "drop", shape: [3, 1000] }] });

test("a batch holds what the plan promises, in its types and shapes", async () => {
  const batch = await batchOf(plan(source, target), 0);
  expect(Object.fromEntries(Object.entries(batch).map(([name, tensor]) => [name, show(tensor)]))).toEqual({
    "source.images": "float32[2, 3, 32, 64]",
    "source.labels": "int64[2, 32, 64]",
    "target.first": "float32[3, 3, 32, 64]",
    "target.first.rows": "float32[3, 32, 4]",
    "target.first.columns": "float32[3, 64, 8]",
    "target.second": "float32[3, 3, 32, 64]",
    "target.second.rows": "float32[3, 32, 4]",
    "target.second.columns": "float32[3, 64, 8]",
    "target.valid": "float32[3, 32, 64]",
    drop: "float32[3, 1000]",
  });
  expect(new Set(Object.values(batch).map(({ data }) => data.buffer)).size).toBe(Object.keys(batch).length);
});

test("labels are classes or void; unknown things are void", async () => {
  const { "source.labels": labels } = await batchOf(plan(source), 1);
  const seen = new Set(Array.from(labels!.data, Number));
  for (const label of seen) expect([0, 1, 2, 255]).toContain(label);
  expect(seen.size).toBeGreaterThan(2);
});

test("noise is uniform in [0, 1), another at each step, and never 1", async () => {
  const [one, two] = await Promise.all([0, 1].map(async (step) => (await batchOf(plan(source), step)).drop!.data));
  const values = Array.from(one!, Number);
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
  expect(values.reduce((a, b) => a + b) / values.length).toBeCloseTo(0.5, 1);
  expect(one).not.toEqual(two);
});

test("A-7: a stream is the same with or without others beside it", async () => {
  const [alone, together] = [await batchOf(plan(target), 4), await batchOf(plan(source, target), 4)];
  expect(together["target.first"]).toEqual(alone["target.first"]);
  expect(together["target.valid"]).toEqual(alone["target.valid"]);
});

test("A-7: the same image looks different at another step", async () => {
  const one = { ...source, size: 1, dataset: { ...source.dataset, items: source.dataset.items.slice(0, 1) } };
  const images = await Promise.all([0, 1].map(async (step) => (await batchOf(plan(one), step))["source.images"]));
  expect(images[0]).not.toEqual(images[1]);
});

test("a pair is made without opening a label file", async () => {
  const items = target.dataset.items.map((item) => ({ ...item, labels: join(folder, "not there.png") }));
  await expect(batchOf(plan({ ...target, dataset: { ...target.dataset, items } }), 0)).resolves.toBeDefined();
});

test("a label file that does not fit its image is named", async () => {
  const wrong = join(folder, "wrong.png");
  await writeFile(wrong, "no labels");
  const items = source.dataset.items.map((item) => ({ ...item, labels: wrong }));
  await expect(batchOf(plan({ ...source, dataset: { ...source.dataset, items } }), 0)).rejects.toThrow(wrong);
});

test("images are kept once read, so that a file removed later does no harm", async () => {
  const dataset = await writeDataset(join(folder, "brief"), { count: 2, width: 96, height: 60, labelled: true });
  const brief = plan({ ...source, dataset });
  const cache = new ImageCache(cacheMemory(brief, 2 ** 20));
  const before = await makeBatch(brief, 0, cache);
  await rm(join(folder, "brief"), { recursive: true });
  expect(await makeBatch(brief, 0, cache)).toEqual(before);
  expect(imagesOf({ seed: 0, stream: "source", count: 2, size: 2 }, 0).sort()).toEqual([0, 1]);
});
