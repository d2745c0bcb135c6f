import { join } from "node:path";
import { type FoundResult, findResults, noResults } from "../../evaluation/results/findResults.js";
import { UserError } from "../../platform/errors.js";
import { FileError } from "../../platform/files.js";
import { knownHint } from "../../platform/nearest.js";
import { compareRows, tablePlaces } from "../../report/tablePlaces.js";
import { readConfig, type TrainConfig } from "../../runs/config.js";
import { runFiles } from "../../runs/runFiles.js";
import type { StudyOptions } from "./study.js";

/** A result, and the run folder it lies in. */
export interface StudiedResult extends FoundResult {
  readonly folder: string;
}

/** Results of some runs, of the methods asked for. Those without a number (labels that say nothing) are left out. */
export async function studiedResults(
  runs: readonly string[],
  { methods, onNote = () => {} }: Pick<StudyOptions, "methods" | "onNote">,
): Promise<StudiedResult[]> {
  const found: StudiedResult[] = [];
  for (const run of new Set(runs)) {
    const results = await findResults(run, onNote);
    if (results.length === 0) throw noResults(run);
    // RUN/results/<data set>/<method>.json
    found.push(...results.map((one) => ({ ...one, folder: join(one.path, "../../..") })));
  }
  const names = [...new Set(found.map(({ result }) => result.method))];
  for (const method of methods ?? []) {
    if (names.includes(method)) continue;
    throw new UserError(`there are no results of "${method}" in ${runs.join(", ")}`, {
      hint: knownHint(method, names),
      code: "unknown-name",
    });
  }
  const asked = found.filter(({ result }) => methods === undefined || methods.includes(result.method));
  const kept = asked.filter(({ result }) => result.accuracy !== null);
  for (const { path } of asked.filter((one) => !kept.includes(one))) onNote(`${path} has no numbers: left out`);
  if (kept.length === 0) {
    throw new UserError(`no result in ${runs.join(", ")} has a number`, {
      hint: "a study needs labels that tell right from wrong; the result files say under `reasons` what is missing",
    });
  }
  return kept;
}

/** The data sets of some results, in the order in which they first appear. */
export const datasetsOf = (results: readonly StudiedResult[]): string[] => [
  ...new Set(results.map(({ result }) => result.dataset)),
];

/** Results of each method, in the order of the paper's tables. */
export function byMethod(results: readonly StudiedResult[]): [method: string, results: StudiedResult[]][] {
  const places = tablePlaces();
  return [...groupedBy(results, ({ result }) => result.method)].sort(([a], [b]) => compareRows(places(a), places(b)));
}

/** Results, or whatever else, in groups, in the order in which groups first appear. */
export function groupedBy<One>(all: readonly One[], key: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

/** The config of a run folder; null where there was no training, as of predictions that were scored. */
export async function configOf(folder: string): Promise<TrainConfig | null> {
  try {
    return await readConfig(join(folder, runFiles.config));
  } catch (error) {
    if (error instanceof FileError && error.code === "ENOENT") return null;
    throw error;
  }
}
