import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tensors } from "../../engine/tensor/hostTensor.js";
import type { ViewOptions } from "../augment/view.js";
import type { BatchPlan } from "./batchPlan.js";
import { cacheMemory, ImageCache } from "./imageCache.js";
import { makeBatch } from "./makeBatch.js";
import { writeDataset } from "./testing/writtenDataset.js";

// Threads are started from JavaScript, so this file tests the build (see test/build.ts).
const built = pathToFileURL(resolve("dist/data/loader/openLoader.js")).href;
const { openLoader }: typeof import("./openLoader.js") = await import(built);

const view: ViewOptions = {
  height: 40,
  crop: [32, 64],
  scale: [0.7, 1.3],
  flip: 0.5,
  local: { chance: 0.5, side: [0.5, 0.9] },
  colour: { disturb: true, jitter: { brightness: 0.3, contrast: 0.3, saturation: 0.3, hue: 0.3 } },
};

let folder: string;
let plan: BatchPlan;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loader-"));
  const extent = { width: 96, height: 60 };
  plan = {
    seed: 3,
    streams: [
      {
        kind: "labelled",
        name: "source",
        dataset: await writeDataset(join(folder, "source"), { count: 9, ...extent, labelled: true }),
        size: 3,
        view,
      },
      {
        kind: "pair",
        name: "target",
        dataset: await writeDataset(join(folder, "target"), { count: 7, ...extent, labelled: false }),
        size: 4,
        view,
        scoreStride: 4,
      },
    ],
    noises: [{ name: "dropout", shape: [2, 5] }],
  };
});
afterAll(() => rm(folder, { recursive: true }));

const fingerprint = (batch: Tensors): string => {
  const hash = createHash("sha256");
  for (const [name, { dtype, shape, data }] of Object.entries(batch)) {
    hash.update(`${name} ${dtype} ${shape}`).update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  return hash.digest("hex");
};

async function fingerprints(steps: readonly number[], options: Parameters<typeof openLoader>[1]): Promise<string[]> {
  const loader = openLoader(plan, options);
  const prints: string[] = [];
  for (const step of steps) prints.push(fingerprint(await loader.batch(step)));
  await loader.close();
  return prints;
}

test("A-7: batches are the same bytes with 0, 1 and 3 workers, and whatever a cache has room for", async () => {
  const steps = [0, 1, 2, 3, 4, 5, 6];
  const expected = await fingerprints(steps, { workers: 0 });
  expect(new Set(expected).size).toBe(steps.length);
  for (const bytes of [0, 30_000]) {
    const cache = new ImageCache(cacheMemory(plan, bytes));
    const prints = [];
    for (const step of steps) prints.push(fingerprint(await makeBatch(plan, step, cache)));
    expect(prints).toEqual(expected);
  }
  expect(await fingerprints(steps, { workers: 1 })).toEqual(expected);
  expect(await fingerprints(steps, { workers: 3 })).toEqual(expected);
});

test("A-7: steps may be asked for in any order, again, and from the middle", async () => {
  const ordered = await fingerprints([0, 1, 2, 3, 4, 5, 6, 7, 8], { workers: 0 });
  const steps = [5, 6, 2, 8, 8, 7, 0, 1, 3];
  expect(await fingerprints(steps, { workers: 2 })).toEqual(steps.map((step) => ordered[step]));
});

test("several batches may be awaited at once", async () => {
  const loader = openLoader(plan, { workers: 2, ahead: 1 });
  const batches = await Promise.all([4, 0, 9].map((step) => loader.batch(step)));
  await loader.close();
  expect(batches.map(fingerprint)).toEqual(await fingerprints([4, 0, 9], { workers: 0 }));
});

test.each([0, 2])(
  "with %i workers, an image that cannot be read is named where its batch is asked for",
  async (workers) => {
    const [source, target] = plan.streams as [BatchPlan["streams"][0], BatchPlan["streams"][0]];
    const broken = join(folder, "broken.jpg");
    await writeFile(broken, "not an image");
    const gone = join(folder, "gone.jpg");
    for (const image of [broken, gone]) {
      const dataset = { ...target.dataset, items: [{ id: "x", image, labels: null }] };
      const loader = openLoader({ ...plan, streams: [source, { ...target, dataset }] }, { workers });
      for (let attempt = 0; attempt < 2; attempt++) {
        await expect(loader.batch(0)).rejects.toMatchObject({
          name: expect.stringMatching(/^(User|Data)Error$/),
          message: expect.stringContaining(image),
        });
      }
      await loader.close();
    }
  },
);

test("closing answers those who still wait, and a closed loader refuses", async () => {
  const loader = openLoader(plan, { workers: 1 });
  const waiting = expect(loader.batch(0)).rejects.toThrow("closed before this job was done");
  await loader.close();
  await waiting;
  await expect(loader.batch(1)).rejects.toThrow("closed");
});

test("a loader that is left open does not keep the process alive, even with batches in the making", async () => {
  await writeFile(join(folder, "plan.json"), JSON.stringify(plan));
  const script = `
    import { readFileSync } from "node:fs";
    const { openLoader } = await import(${JSON.stringify(built)});
    const plan = JSON.parse(readFileSync(${JSON.stringify(join(folder, "plan.json"))}, "utf8"));
    const loader = openLoader(plan, { workers: 2, ahead: 6 });
    console.log(Object.keys(await loader.batch(0)).length);`;
  const { stdout } = await promisify(execFile)("node", ["--input-type=module", "-e", script], { timeout: 50_000 });
  expect(stdout).toBe("10\n");
});

test("options and steps that make no sense are refused", async () => {
  expect(() => openLoader(plan, { workers: 1.5 })).toThrow("workers is 1.5");
  expect(() => openLoader(plan, { workers: 1, ahead: -1 })).toThrow("ahead is -1");
  const loader = openLoader(plan, { workers: 0 });
  await expect(loader.batch(-1)).rejects.toThrow("no batch -1");
});

test("time spent waiting is counted from the first batch on", async () => {
  const loader = openLoader(plan, { workers: 0 });
  await loader.batch(0);
  expect(loader.waitedMs).toBe(0);
  await loader.batch(1);
  await loader.close();
  expect(loader.waitedMs).toBeGreaterThan(0);
});

test("data that nothing can be learned from is refused", () => {
  const [source, ...others] = plan.streams as [BatchPlan["streams"][0], ...BatchPlan["streams"]];
  const withData = (changes: Partial<typeof source.dataset>) => () =>
    openLoader(
      { ...plan, streams: [{ ...source, dataset: { ...source.dataset, ...changes } }, ...others] },
      { workers: 0 },
    );
  expect(withData({ items: [] })).toThrow("is empty");
  const { id } = source.dataset.items[0]!;
  expect(withData({ labelling: null })).toThrow(`learns from labels, but "${id}" of`);
  const [first, ...rest] = source.dataset.items;
  expect(withData({ items: [...rest, { ...first!, labels: null }] })).toThrow(`learns from labels, but "${id}" of`);
});
