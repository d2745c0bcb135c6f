/**
 * How fast pixels become sketches, how much memory that takes, and how scikit-learn does on the same pixels.
 *
 *   npm run bench:metrics -- [--pixels 1e8] [--compare 1e7] [--scores softmax] [--python /usr/bin/python3]
 *
 * Scores are drawn independently for each pixel, new for each image of 480 x 960: real images have neighbours alike, which
 * is kinder to the processor's caches. Drawing is not timed, adding and summarising are. scikit-learn (Debian:
 * python3-sklearn) computes roc_auc_score and average_precision_score of the first --compare pixels; left out with --compare 0.
 * Both sides find the pixels in memory and are warm: modules loaded, functions compiled by a run before.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { random as keyed } from "../../src/engine/tensor/random.js";
import { auroc, averagePrecision } from "../../src/metrics/areas.js";
import { bandsOf } from "../../src/metrics/bands.js";
import type { Known } from "../../src/metrics/measured.js";
import { writeSketchSet } from "../../src/metrics/sketchBytes.js";
import { resolutions, SketchBuilder, type SketchSet } from "../../src/metrics/sketchSet.js";
import { summarise } from "../../src/metrics/summarise.js";

const { values: options } = parseArgs({
  options: {
    pixels: { type: "string", default: "1e8" },
    compare: { type: "string", default: "1e7" },
    scores: { type: "string", default: "softmax" },
    python: { type: "string", default: "/usr/bin/python3" },
  },
});

const SKLEARN = fileURLToPath(new URL("../../../metrics/sklearn_peer.py", import.meta.url));
const rounds = 5;
const height = 480;
const width = 960;
type Uniform = () => number;
const noise = (random: Uniform): number => random() + random() + random() - 1.5;
const scores: Record<string, (random: Uniform, wrong: boolean) => number> = {
  softmax: (random, wrong) => 1 / (1 + Math.exp((wrong ? 1 : 6) + 6.4 * noise(random))),
  cosine: (random, wrong) => 0.3 + 0.01 * (wrong ? Math.max(random(), random()) : random() * random()),
  mahalanobis: (random, wrong) => Math.exp((wrong ? 6 : 5) + 3 * noise(random)),
  energy: (random, wrong) => -500 + (wrong ? 150 : 100) * Math.tan(1.5 * (random() - 0.5)),
};

interface ScoredImage {
  readonly id: string;
  readonly uncertainty: Float32Array;
  readonly verdict: Uint8Array;
}

/** Fill the arrays with image number `index`. */
function draw(index: number, uncertainty: Float32Array, verdict: Uint8Array): void {
  const random = keyed("pixels", index).uniform;
  const errorRate = 0.05 + 0.4 * random();
  const shift = 1 + 0.05 * random();
  const score = scores[options.scores]!;
  for (let i = 0; i < uncertainty.length; i++) {
    const wrong = random() < errorRate;
    verdict[i] = wrong ? 0 : 1;
    uncertainty[i] = shift * score(random, wrong);
  }
}

/** Sketch so many pixels; milliseconds of processor and of clock spent adding. */
function sketch(pixels: number): { set: SketchSet; clock: number; processor: number } {
  const uncertainty = new Float32Array(height * width);
  const verdict = new Uint8Array(height * width);
  const builder = new SketchBuilder(resolutions.fine);
  let [clock, processor, left] = [0, 0, pixels];
  for (let index = 0; left > 0; index++) {
    draw(index, uncertainty, verdict);
    const here = Math.min(left, uncertainty.length);
    const [started, used] = [performance.now(), process.cpuUsage()];
    builder.add(`image ${index}`, uncertainty.subarray(0, here), verdict.subarray(0, here));
    clock += performance.now() - started;
    const { user, system } = process.cpuUsage(used);
    processor += (user + system) / 1000;
    left -= here;
  }
  const started = performance.now();
  const set = builder.finish();
  return { set, clock: clock + performance.now() - started, processor };
}

const pixels = Number(options.pixels);
console.log(`${options.scores} scores, ${cpus()[0]!.model}, node ${process.version}`);
sketch(2e6); // warm up
const { set, clock, processor } = sketch(pixels);
const peak = process.resourceUsage().maxRSS / 1024;
const started = performance.now();
const result = summarise(set, { dataset: "bench", method: options.scores, curves: 300 });
const summary = performance.now() - started;
console.log(
  `${pixels / 1e6} Mpixel on one core: ${(pixels / clock / 1e3).toFixed(1)} Mpixel/s by the clock, ${(pixels / processor / 1e3).toFixed(1)} by processor time`,
);
console.log(
  `peak memory ${peak.toFixed(0)} MB; ${set.total.low.length} intervals in total, ${set.images.length} images`,
);
console.log(`file ${(writeSketchSet(set).length / 2 ** 20).toFixed(2)} MB; summary ${summary.toFixed(0)} ms`);
console.log(
  `AUROC ${result.auroc?.toFixed(6)} ± ${result.bounds.auroc?.toExponential(1)}, AUPR ${result.aupr?.toFixed(6)} ± ${result.bounds.aupr?.toExponential(1)}`,
);

if (Number(options.compare) > 0) compare(Number(options.compare));

function compare(pixels: number): void {
  const images = inMemory(pixels);
  const theirs = scikitLearn(images);
  const ours = timed(() => sketchHere(images));
  console.log(`${pixels / 1e6} Mpixel, AUROC and AUPR, median and best of ${rounds}, on one core:`);
  const times =
    theirs === undefined ? "" : `; scikit-learn takes ${(theirs.seconds / ours.median).toFixed(0)} times as long`;
  console.log(`  ${ours.median.toFixed(3)} s, ${ours.best.toFixed(3)} s${times}`);
  if (theirs === undefined) return;
  console.log(`  scikit-learn: ${theirs.seconds.toFixed(2)} s`);
  for (const name of ["auroc", "ap"] as const) {
    const { value, bound } = ours.areas[name] as Known;
    const difference = Math.abs(value - theirs[name]);
    console.log(`${name}: differs by ${difference.toExponential(1)}, guaranteed ${bound.toExponential(1)}`);
  }
}

/** The first so many pixels as images. */
function inMemory(pixels: number): ScoredImage[] {
  return Array.from({ length: Math.ceil(pixels / (height * width)) }, (_, index) => {
    const uncertainty = new Float32Array(height * width);
    const verdict = new Uint8Array(height * width);
    draw(index, uncertainty, verdict);
    const here = Math.min(height * width, pixels - index * height * width);
    return { id: `image ${index}`, uncertainty: uncertainty.subarray(0, here), verdict: verdict.subarray(0, here) };
  });
}

function sketchHere(images: readonly ScoredImage[]): SketchSet {
  const builder = new SketchBuilder();
  for (const { id, uncertainty, verdict } of images) builder.add(id, uncertainty, verdict);
  return builder.finish();
}

/** Seconds from the first image to both areas, after one run that does not count. */
function timed(sketch: () => SketchSet) {
  const run = () => {
    const started = performance.now();
    const { total } = sketch();
    const bands = bandsOf(total);
    const areas = { auroc: auroc(total, bands), ap: averagePrecision(total, bands) };
    return { areas, seconds: (performance.now() - started) / 1000 };
  };
  const { areas } = run();
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) seconds.push(run().seconds);
  seconds.sort((a, b) => a - b);
  return { areas, median: seconds[rounds >> 1]!, best: seconds[0]! };
}

/** The same two areas by scikit-learn; undefined where it does not run. */
function scikitLearn(images: readonly ScoredImage[]): { seconds: number; auroc: number; ap: number } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "metrics-"));
  for (const { uncertainty, verdict } of images) {
    const { buffer, byteOffset, byteLength } = uncertainty;
    appendFileSync(join(folder, "u.f32"), new Uint8Array(buffer, byteOffset, byteLength));
    appendFileSync(join(folder, "v.u8"), verdict);
  }
  const { stdout, stderr, status } = spawnSync(options.python, [SKLEARN, folder], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  if (status === 0) return JSON.parse(stdout);
  console.log(`scikit-learn did not run (${stderr?.trim().split("\n").at(-1)}); try --python`);
  return undefined;
}
