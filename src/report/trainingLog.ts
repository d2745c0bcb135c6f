import { thin } from "../metrics/curves.js";
import { readLogLines } from "../runs/trainLog.js";
import { lineStyles, plotsOfNames, stageMarks, titleOf } from "./loggedNames.js";
import { around, type Plot, type Point } from "./plot.js";

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

/** What a run logged, and its stages where they are known. */
export interface LoggedRun {
  readonly run: string;
  readonly log: TrainingLog;
  readonly stages?: readonly { readonly name: string; readonly steps: number }[] | undefined;
}

/** A plot for each logged number, one curve for each run. */
export function trainingPlots(logs: readonly LoggedRun[]): Plot[] {
  const marks = stageMarks(logs.map(({ stages }) => stages));
  return plotsOfNames(logs.flatMap(({ log }) => [...log.keys()]))
    .slice(0, MOST_PLOTS)
    .flatMap(({ key, names }) => {
      const series = logs.flatMap(({ run, log }, colour) =>
        names.map(({ name, branch }, k) => ({
          label: branch === null ? run : `${run}, ${branch}`,
          points: thinned(log.get(name) ?? []),
          look: { colour, dotted: k > 0 },
        })),
      );
      const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
      const ys = series.flatMap(({ points }) => points.map(({ y }) => y));
      if (xs.length < 2) return [];
      return [
        {
          name: `training ${key}`,
          title: titleOf(key),
          meaning: `From ${printed(Math.min(...ys))} to ${printed(Math.max(...ys))}.${lineStyles(names)}`,
          x: { label: "step", from: Math.min(0, ...xs), to: Math.max(...xs) },
          y: { label: "", ...around(ys) },
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
