/**
 * How many images with labels are drawn a second, what each costs, and whether they are the same ones each time.
 *
 *   npm run bench:scenes -- [--count 200] [--seed 5] [--threads 2]
 *
 * Draws `count` labelled images of 256 x 128 of each place, on as many threads as there are cores if not told otherwise, and
 * prints the sha256 of all pixels and labels in order. No caches are read or written.
 */
import { createHash } from "node:crypto";
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Scene } from "../../src/data/scenes/drawScene.js";
import { openScenePool } from "../../src/data/scenes/sceneJobs.js";
import { checkSpec, domains, type ScenesSpec } from "../../src/data/scenes/spec.js";

const { values: options } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "5" },
    threads: { type: "string", default: String(availableParallelism()) },
  },
});
const threads = Number(options.threads);
const pool = openScenePool(threads);

const hash = createHash("sha256");
const all = stopwatch();
let drawn = 0;
for (const domain of Object.keys(domains)) {
  const split = domain === "city" ? { split: "train" } : {};
  const spec = checkSpec({ domain, count: options.count, seed: options.seed, ...split });
  const lap = stopwatch();
  for (const { rgb, labels } of await drawAll(spec)) {
    hash.update(rgb).update(labels!);
    drawn++;
  }
  console.log(`${domain.padEnd(10)} ${lap(spec.count)}`);
}
await pool.close();
console.log(`all        ${all(drawn)}, ${threads} threads, load ${loadavg()[0]!.toFixed(1)}`);
console.log(`sha256 of ${drawn}: ${hash.digest("hex")}`);

function drawAll(spec: ScenesSpec): Promise<Scene[]> {
  return Promise.all(Array.from({ length: spec.count }, (_, index) => pool.submit({ spec, index }).result()));
}

/** Speed by the clock and cost by the processor since it was made, for so many images. */
function stopwatch(): (images: number) => string {
  const [started, used] = [performance.now(), process.cpuUsage()];
  return (images) => {
    const { user, system } = process.cpuUsage(used);
    const rate = (images * 1000) / (performance.now() - started);
    return `${rate.toFixed(1)} images a second, ${((user + system) / 1000 / images).toFixed(1)} ms of processor time each`;
  };
}
