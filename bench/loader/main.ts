/**
 * What a batch costs, and whether a trainer has to wait for it.
 *
 *   npm run bench:loader -- [--batches 20] [--step 1000] [--workers 1]
 *
 * Batches of 6 labelled crops and 12 pairs of 128 x 256, all colours on, from 60 + 60 drawn images of 480 x 360 that are
 * written to a temporary folder. First the time on a core that one batch costs, with every image read from disk and with
 * every image in the cache. Then the share of time a trainer waits that takes a batch every `step` milliseconds and blocks
 * its thread in between, as onnxruntime does.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ViewOptions } from "../../src/data/augment/view.js";
import type { BatchPlan } from "../../src/data/loader/batchPlan.js";
import { cacheMemory, ImageCache } from "../../src/data/loader/imageCache.js";
import { makeBatch } from "../../src/data/loader/makeBatch.js";
import { openLoader } from "../../src/data/loader/openLoader.js";
import { writeDataset } from "../../src/data/loader/testing/writtenDataset.js";

const { values: options } = parseArgs({
  options: {
    batches: { type: "string", default: "20" },
    step: { type: "string", default: "1000" },
    workers: { type: "string", default: "1" },
  },
});
const [batches, stepMs, workers] = [Number(options.batches), Number(options.step), Number(options.workers)];

const view: ViewOptions = {
  height: 360,
  crop: [128, 256],
  scale: [0.5, 1],
  flip: 0.5,
  local: { chance: 0.5, side: [0.55, 0.9] },
  colour: { disturb: true, jitter: { brightness: 0.3, contrast: 0.3, saturation: 0.3, hue: 0.3 } },
};

const folder = await mkdtemp(join(tmpdir(), "bench-loader-"));
try {
  const plan = await planIn(folder);
  const none = new ImageCache(cacheMemory(plan, 0));
  const roomy = new ImageCache(cacheMemory(plan, 2 ** 30));
  for (let step = 0; step < batches; step++) await makeBatch(plan, step, roomy); // fills the cache, compiles the loops
  report("every image read from disk", await cost(plan, none));
  report("every image in the cache", await cost(plan, roomy));
  await wait(plan);
} finally {
  await rm(folder, { recursive: true });
}

async function planIn(root: string): Promise<BatchPlan> {
  const extent = { count: 60, width: 480, height: 360 };
  const source = await writeDataset(join(root, "source"), { ...extent, labelled: true });
  const target = await writeDataset(join(root, "target"), { ...extent, labelled: false });
  return {
    seed: 1,
    streams: [
      { kind: "labelled", name: "source", dataset: source, size: 6, view },
      { kind: "pair", name: "target", dataset: target, size: 12, view, scoreStride: 4 },
    ],
    noises: [],
  };
}

/** Milliseconds on a core for each batch, smallest first. */
async function cost(plan: BatchPlan, cache: ImageCache): Promise<number[]> {
  const spent: number[] = [];
  for (let step = 0; step < batches; step++) {
    const before = process.cpuUsage();
    await makeBatch(plan, step, cache);
    const { user, system } = process.cpuUsage(before);
    spent.push((user + system) / 1000);
  }
  return spent.sort((a, b) => a - b);
}

function report(what: string, spent: readonly number[]): void {
  const middle = spent[spent.length >> 1]!;
  console.log(
    `${what.padEnd(30)} ${middle.toFixed(0)} ms a batch (${spent[0]!.toFixed(0)} to ${spent.at(-1)!.toFixed(0)})`,
  );
}

async function wait(plan: BatchPlan): Promise<void> {
  const loader = openLoader(plan, { workers });
  const waits: number[] = [];
  for (let step = 0; step < batches; step++) {
    const asked = performance.now();
    await loader.batch(step);
    waits.push(performance.now() - asked);
    const until = performance.now() + stepMs;
    while (performance.now() < until);
  }
  await loader.close();
  const share = (from: number): string => {
    const waited = waits.slice(from).reduce((a, b) => a + b, 0);
    return `${((100 * waited) / (waited + stepMs * (batches - from))).toFixed(2)} %`;
  };
  console.log(`waiting for a batch every ${stepMs} ms   ${share(1)} of the time; ${share(4)} from the fifth batch on`);
  // On a machine that is busy with other things, a thread waits for a core and the trainer for the thread.
  const busy = loadavg()[0]!.toFixed(1);
  console.log(`${workers} worker(s); with other work, ${busy} threads wanted the ${availableParallelism()} cores`);
}
