import { thin } from "../metrics/curves.js";
import { readLogLines } from "../runs/logLines.js";
import type { Plot, Point } from "./plots.js";

/** What a trainer wrote down: by name, a value at each step at which there was one. */
export type TrainingLog = ReadonlyMap<string, readonly Point[]>;

/** The numbers in `log.jsonl` of a run folder; null when there is none. */
export async function readTrainingLog(runFolder: string): Promise<TrainingLog | null> {
  const lines = await readLogLines(runFolder);
  if (lines === null) return null;
  const found = new Map<string, Map<number, number>>();
  for (const { step, ...rest } of lines) {
    if (typeof step !== "number") continue;
    for (const [name, value] of Object.entries(rest)) {
      if (typeof value !== "number") continue;
      // A resumed run writes some steps again; the last time counts.
      if (!found.has(name)) found.set(name, new Map());
      found.get(name)!.set(step, value);
    }
  }
  return new Map(
    [...found].map(([name, values]) => [name, [...values].sort(([a], [b]) => a - b).map(([x, y]) => ({ x, y }))]),
  );
}

/** More would be a wall of plots. */
const MOST_PLOTS = 12;

/** What logged numbers are called in a plot. Others keep their names. */
const titles: Readonly<Record<string, string>> = {
  "loss.supervised": "L_s",
  "loss.consistency": "L_c",
  "loss.uniformity": "L_u",
  "loss.prototype": "L_p",
  "loss.prototypeSupervision": "prototype supervision",
  gamma: "γ",
  certain: "share of certain pixels",
  consistent: "share of consistent pixels",
  gradientNorm: "length of the gradient",
  learningRate: "learning rate",
  "validation.accuracy": "validation: accuracy",
  "validation.meanIou": "validation: mean IoU",
  "validation.auroc": "validation: AUROC",
};

/** One plot: what was logged under some names, each a curve for every run that has it. */
interface Curves {
  readonly key: string;
  /** The logged name, and what is said of its curve besides the run. */
  readonly names: readonly { readonly name: string; readonly branch: string | null }[];
}

const VALIDATION = /^validation\.(\w+)\.(\w+)$/;

/** Validations of prototypes and head share a plot for each measure. These come first; then what most runs have. */
function curvesIn(logs: readonly TrainingLog[]): Curves[] {
  const counts = new Map<string, number>();
  for (const log of logs) for (const name of log.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const found = new Map<string, { name: string; branch: string | null }[]>();
  for (const [name] of [...counts].sort(([, a], [, b]) => b - a)) {
    const [, branch = null, measure] = VALIDATION.exec(name) ?? [];
    const key = measure === undefined ? name : `validation.${measure}`;
    found.set(key, [...(found.get(key) ?? []), { name, branch }]);
  }
  const first = ([key]: readonly [string, unknown]): number => (key.startsWith("validation.") ? 0 : 1);
  return [...found].sort((a, b) => first(a) - first(b)).map(([key, names]) => ({ key, names }));
}

/** A plot for each logged number, one curve for each run. */
export function trainingPlots(logs: readonly { readonly run: string; readonly log: TrainingLog }[]): Plot[] {
  return curvesIn(logs.map(({ log }) => log))
    .slice(0, MOST_PLOTS)
    .flatMap(({ key, names }) => {
      const series = logs.flatMap(({ run, log }) =>
        names.map(({ name, branch }) => ({
          label: branch === null ? run : `${run}, ${branch}`,
          points: thinned(log.get(name) ?? []),
        })),
      );
      const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
      const ys = series.flatMap(({ points }) => points.map(({ y }) => y));
      if (xs.length < 2) return [];
      const low = Math.min(...ys);
      const high = Math.max(...ys);
      const air = (high - low || Math.abs(high) || 1) * 0.05;
      const title = titles[key] ?? key;
      return [
        {
          name: `training ${key}`,
          title,
          meaning: `${title} while training, from ${printed(low)} to ${printed(high)}.`,
          x: { label: "step", from: Math.min(0, ...xs), to: Math.max(...xs) },
          // Zero is kept as the floor of what cannot be negative, where it is near.
          y: { label: "", from: low >= 0 && low < (high - low) / 2 ? 0 : low - air, to: high + air },
          series,
          chance: null,
        },
      ];
    });
}

const printed = (value: number): string => String(Number(value.toPrecision(3)));

/** At most 400 points that look the same. */
function thinned(points: readonly Point[]): Point[] {
  const finite = points.filter(({ y }) => Number.isFinite(y));
  if (finite.length <= 400) return finite;
  const [xs, ys] = [Float64Array.from(finite, ({ x }) => x), Float64Array.from(finite, ({ y }) => y)];
  const unit = (values: Float64Array): Float64Array => {
    const low = values.reduce((so, value) => Math.min(so, value));
    const range = values.reduce((so, value) => Math.max(so, value)) - low || 1;
    return values.map((value) => (value - low) / range);
  };
  return thin(unit(xs), unit(ys), 400).map((k) => finite[k]!);
}
