/**
 * How many pictures with labels are drawn a second, what each costs, and whether they are the same ones each time.
 *
 *   npm run bench:scenes -- [--count 200] [--seed 5]
 *
 * Draws `count` labelled pictures of 256 x 128 of each place, one after the other on one thread, and prints the sha256 of all
 * pixels and labels in order. No caches are read or written.
 */
import { createHash } from "node:crypto";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { drawScene } from "../../src/data/scenes/scenes.js";
import { checkSpec, domains } from "../../src/data/scenes/spec.js";

const { values: options } = parseArgs({
  options: { count: { type: "string", default: "200" }, seed: { type: "string", default: "5" } },
});

const hash = createHash("sha256");
const all = stopwatch();
let drawn = 0;
for (const domain of Object.keys(domains)) {
  const split = domain === "city" ? { split: "train" } : {};
  const spec = checkSpec({ domain, count: options.count, seed: options.seed, ...split });
  const lap = stopwatch();
  for (let index = 0; index < spec.count; index++, drawn++) {
    const { rgb, labels } = drawScene(spec, index);
    hash.update(rgb).update(labels!);
  }
  console.log(`${domain.padEnd(10)} ${lap(spec.count)}`);
}
console.log(`all        ${all(drawn)}, load ${loadavg()[0]!.toFixed(1)}`);
console.log(`sha256 of ${drawn}: ${hash.digest("hex")}`);

/** Speed by the clock and cost by the processor since it was made, for so many pictures. */
function stopwatch(): (pictures: number) => string {
  const [started, used] = [performance.now(), process.cpuUsage()];
  return (pictures) => {
    const { user, system } = process.cpuUsage(used);
    const rate = (pictures * 1000) / (performance.now() - started);
    return `${rate.toFixed(1)} pictures a second, ${((user + system) / 1000 / pictures).toFixed(1)} ms of processor time each`;
  };
}
