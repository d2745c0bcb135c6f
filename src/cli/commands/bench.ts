import { UserError } from "../../platform/errors.js";
import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { extent, type Library, required, text, usually, whole } from "../terminal/flags.js";
import { progressOn } from "../terminal/progress.js";
import { device, json, threads } from "../terminal/shared.js";
import { screenOn } from "../terminal/trainStatus.js";

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

export const bench = command({
  name: "bench",
  about: "how fast each method is: the paper's Table 12 on this machine",
  words: { run: required(text("<run>", "run folder of gssl train; baselines need not be trained")) },
  flags: {
    size: usually(extent("<HxW>", "size of the image; the paper's would be 480x960"), "256x512"),
    rounds: usually(whole("<n>", [1, 10_000], "times that each method answers, in turn with the others"), "20"),
    warmUps: usually(whole("<n>", [0, 1000], "rounds before those that count"), "3"),
    device,
    threads,
    json,
  },
  async run({ run, json, size, ...options }, { library, signal }) {
    if (size.some((side) => side % 16 !== 0 || side < 32 || side > 4096)) {
      throw new UserError(`--size is "${size.join("x")}", wanted height x width in multiples of 16`, {
        hint: "for example 480x960",
        code: "bad-option",
      });
    }
    const screen = screenOn(process.stderr);
    const { path, ...record } = await library.bench(run, { ...options, size, onProgress: progressOn(screen), signal });
    screen.passing("");
    if (json) printJson(record, 1);
    else for (const line of [...table(record.timings), `written to ${path}`]) print(line);
  },
});

type Timings = Awaited<ReturnType<Library["bench"]>>["timings"];

function table(timings: Timings): string[] {
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
