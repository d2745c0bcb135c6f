import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { nodeRuntime } from "../engine/runtime/node.js";
import { environment } from "../evaluation/results/environment.js";
import { type Timing, timeMethods } from "../experiments/timing.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { print, printJson } from "../platform/print.js";
import { openRun } from "../runs/openRun.js";
import { screenOn } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

interface BenchOptions {
  readonly size: string;
  readonly rounds: string;
  readonly warmUps: string;
  readonly threads?: string;
  readonly json?: true;
}

/** Hz on a CPU in the paper's Table 12, by our names. Another machine and size: the ratios are what to compare. */
const paper: Readonly<Record<string, number>> = {
  Vanilla: 1.53,
  "MCD-8 plain": 0.46,
  "Ens-5 LM": 0.75,
  "Ens-5 HM": 0.75,
  "Ens-10 LM": 0.38,
  "Ens-10 HM": 0.38,
  Ours: 1.52,
};

export async function bench(folder: string, options: BenchOptions): Promise<void> {
  const screen = screenOn(process.stderr);
  const run = await openRun(folder);
  const [height, width] = extentOf(options.size);
  const threads = wholeNumber("threads", options.threads ?? String(availableParallelism()), [1, 256]);
  const rounds = wholeNumber("rounds", options.rounds, [1, 10_000]);
  const timings = await timeMethods(nodeRuntime({ threads }), run, [height, width], {
    rounds,
    warmUps: wholeNumber("warm-ups", options.warmUps, [0, 1000]),
    onProgress: (what, done, total) => screen.passing(`${what}: ${done}/${total}`),
  });
  screen.passing("");
  const record = { height, width, threads, rounds, timings, environment: environment() };
  await mkdir(join(folder, "bench"), { recursive: true });
  const path = join(folder, "bench", `${height}x${width}.json`);
  await writeAtomically(path, `${JSON.stringify(record, null, 1)}\n`);
  if (options.json) printJson(record, 1);
  else for (const line of [...table(timings), `written to ${path}`]) print(line);
}

/** "256x512": height first, as everywhere. */
function extentOf(text: string): [height: number, width: number] {
  const match = /^(\d+)x(\d+)$/.exec(text);
  const [height, width] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || [height, width].some((extent) => extent % 16 !== 0 || extent < 32 || extent > 4096)) {
    throw new UserError(`--size is "${text}", wanted height x width in multiples of 16`, {
      hint: "for example 480x960",
    });
  }
  return [height, width];
}

function table(timings: readonly Timing[]): string[] {
  const vanilla = timings[0]!.bestMs;
  const ms = (value: number): string => value.toFixed(1);
  const rows = timings.map(({ name, bestMs, medianMs, quartilesMs: [low, high], loadMs }) => [
    name,
    ms(bestMs),
    ms(medianMs),
    `${ms(low)} to ${ms(high)}`,
    (1000 / medianMs).toFixed(2),
    `x ${(bestMs / vanilla).toFixed(2)}`,
    paper[name] === undefined ? "-" : `x ${(paper.Vanilla! / paper[name]).toFixed(2)}`,
    ms(loadMs),
  ]);
  const head = ["method", "best ms", "median ms", "middle half", "Hz", "of Vanilla", "in the paper", "load ms"];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd(),
  );
}
