/**
 * How many pictures with labels are drawn a second, and whether they are the same ones each time.
 *
 *   npm run bench:scenes -- [--count 200] [--seed 5]
 *
 * Draws `count` labelled pictures of 256 x 128 of each place, `os.availableParallelism()` at a time, and prints the sha256 of all
 * pixels and labels in order. No caches are read or written.
 */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { drawScene, type Scene } from "../../src/data/scenes/scenes.js";
import { checkSpec, domains } from "../../src/data/scenes/spec.js";

const { values: options } = parseArgs({
  options: { count: { type: "string", default: "200" }, seed: { type: "string", default: "5" } },
});

const hash = createHash("sha256");
const started = performance.now();
let drawn = 0;
for (const domain of Object.keys(domains)) {
  const spec = checkSpec({
    domain,
    count: options.count,
    seed: options.seed,
    ...(domain === "city" && { split: "train" }),
  });
  const before = performance.now();
  for (const scene of await drawAll(spec.count, (index) => drawScene(spec, index))) {
    hash.update(scene.rgb).update(scene.labels!);
    drawn++;
  }
  console.log(
    `${domain.padEnd(10)} ${((spec.count * 1000) / (performance.now() - before)).toFixed(1)} pictures a second`,
  );
}
const seconds = (performance.now() - started) / 1000;
console.log(
  `all        ${(drawn / seconds).toFixed(1)} pictures a second on ${availableParallelism()} cores; sha256 of ${drawn}: ${hash.digest("hex")}`,
);

/** Results in order, several at a time. */
async function drawAll(count: number, draw: (index: number) => Promise<Scene>): Promise<Scene[]> {
  const scenes: Scene[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      scenes[index] = await draw(index);
    }
  };
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, worker));
  return scenes;
}
