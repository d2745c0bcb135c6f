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

/** What logged numbers are called in a plot, in the order in which plots come. Others come last. */
const titles: Readonly<Record<string, string>> = {
  "validation.accuracy": "Validation: accuracy",
  "validation.meanIou": "Validation: mean IoU",
  "validation.auroc": "Validation: AUROC",
  loss: "Total loss",
  "loss.supervised": "Supervised loss L_s",
  "loss.consistency": "Consistency loss L_c",
  "loss.uniformity": "Uniformity loss L_u",
  "loss.prototype": "Prototype loss L_p",
  "loss.prototypeSupervision": "Prototype supervision loss",
  gamma: "Threshold γ",
  certain: "Share of certain pixels",
  consistent: "Share of consistent pixels",
  counted: "Pixels counted in L_c",
  "prototypes.nearest": "Nearest prototypes",
  "agreement.accuracy": "Certain as consistent: accuracy",
  "agreement.f1": "Certain as consistent: F1",
  "peak.target": "Largest score, target branch",
  "peak.query": "Largest score, query branch",
  gradientNorm: "Length of the gradient",
  learningRate: "Learning rate",
};

/** A logged name in words: "memory.freeBytes" is "Memory: free bytes". */
function titleOf(key: string): string {
  const words = key.replaceAll(".", ": ").replace(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return titles[key] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** One plot: what was logged under some names, each a curve for every run that has it. */
interface Curves {
  readonly key: string;
  /** The logged name, and what is said of its curve besides the run. */
  readonly names: readonly { readonly name: string; readonly branch: string | null }[];
}

const VALIDATION = /^validation\.(\w+)\.(\w+)$/;

/** Validations of prototypes and head share a plot for each measure. */
function curvesIn(logs: readonly TrainingLog[]): Curves[] {
  const found = new Map<string, { name: string; branch: string | null }[]>();
  for (const name of new Set(logs.flatMap((log) => [...log.keys()]))) {
    const [, branch = null, measure] = VALIDATION.exec(name) ?? [];
    const key = measure === undefined ? name : `validation.${measure}`;
    found.set(key, [...(found.get(key) ?? []), { name, branch }]);
  }
  const order = Object.keys(titles);
  const place = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return [...found].sort((a, b) => place(a[0]) - place(b[0])).map(([key, names]) => ({ key, names }));
}

/** What a run logged, and its stages where they are known. */
export interface LoggedRun {
  readonly run: string;
  readonly log: TrainingLog;
  readonly stages?: readonly { readonly name: string; readonly steps: number }[] | undefined;
}

/** Where each stage but the first begins; nothing where runs have different stages. */
function stageMarks(logs: readonly LoggedRun[]): { x: number; label: string }[] {
  const [stages = [], ...others] = logs.map(({ stages }) => stages);
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(stages))) return [];
  const begins = (index: number): number => stages.slice(0, index).reduce((sum, { steps }) => sum + steps, 0);
  return stages.map(({ name }, i) => ({ x: begins(i), label: name })).slice(1);
}

/** A plot for each logged number, one curve for each run. */
export function trainingPlots(logs: readonly LoggedRun[]): Plot[] {
  const marks = stageMarks(logs);
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
      const title = titleOf(key);
      return [
        {
          name: `training ${key}`,
          title,
          meaning: `From ${printed(low)} to ${printed(high)}.`,
          x: { label: "step", from: Math.min(0, ...xs), to: Math.max(...xs) },
          // Zero is kept as the floor of what cannot be negative, where it is near.
          y: { label: "", from: low >= 0 && low < (high - low) / 2 ? 0 : low - air, to: high + air },
          series,
          chance: null,
          marks,
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
