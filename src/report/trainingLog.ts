import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { thin } from "../metrics/curves.js";
import { UserError } from "../platform/errors.js";
import type { Plot, Point } from "./plots.js";

/** What a trainer wrote down: by name, a value at each step at which there was one. */
export type TrainingLog = ReadonlyMap<string, readonly Point[]>;

/**
 * `log.jsonl` of a run folder: one JSON object a line, with `step` and numbers; anything else in it is passed over. Null when
 * there is none. The last line may be torn by a power cut; any other that is no JSON is refused with its number.
 */
export async function readTrainingLog(runFolder: string): Promise<TrainingLog | null> {
  const path = join(runFolder, "log.jsonl");
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null;
    throw new UserError(`cannot read ${path}: ${cause.message}`, { cause });
  });
  if (text === null) return null;
  const found = new Map<string, Map<number, number>>();
  const lines = text.split("\n");
  for (const [k, line] of lines.entries()) {
    if (line.trim() === "") continue;
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch (cause) {
      if (k === lines.length - 1) break;
      throw new UserError(`${path}: line ${k + 1} is not JSON`, { hint: "mend or remove the line", cause });
    }
    if (typeof entry !== "object" || entry === null || !("step" in entry) || typeof entry.step !== "number") continue;
    const { step, ...rest } = entry;
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

/** A plot for each logged number, one curve for each run; those most runs have come first. */
export function trainingPlots(logs: readonly { readonly run: string; readonly log: TrainingLog }[]): Plot[] {
  const names = new Map<string, number>();
  for (const { log } of logs) for (const name of log.keys()) names.set(name, (names.get(name) ?? 0) + 1);
  return [...names]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_PLOTS)
    .flatMap(([name]) => {
      const series = logs.map(({ run, log }) => ({ label: run, points: thinned(log.get(name) ?? []) }));
      const xs = series.flatMap(({ points }) => points.map(({ x }) => x));
      const ys = series.flatMap(({ points }) => points.map(({ y }) => y));
      if (xs.length < 2) return [];
      const low = Math.min(...ys);
      const high = Math.max(...ys);
      const air = (high - low || Math.abs(high) || 1) * 0.05;
      return [
        {
          name: `training ${name}`,
          title: name,
          meaning: `${name} while training, from ${printed(low)} to ${printed(high)}.`,
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
