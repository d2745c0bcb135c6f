import { join } from "node:path";
import { type FoundResult, findResults, noResults } from "../evaluation/results/findResults.js";
import { fileIn } from "../platform/files.js";
import { type ResultTable, resultTables } from "./resultTable.js";
import { writeReport } from "./writeReport.js";

/** A report that was written. */
export interface WrittenReport {
  /** The page. */
  readonly file: string;
  readonly bytes: number;
  /** Plots and tables in the folder `report` beside it. */
  readonly files: readonly string[];
}

/** Write one HTML page about the results of some runs; `report.html` in the first run folder unless `to` names another file or folder. */
export async function report(
  runs: readonly string[],
  options: { readonly to?: string | undefined; readonly onNote?: ((message: string) => void) | undefined } = {},
): Promise<WrittenReport> {
  const { to, onNote = () => {} } = options;
  const file = to === undefined ? join(runs[0]!, "report.html") : fileIn(to, "report.html");
  return { file, ...(await writeReport(runs, file, { onNote })) };
}

/**
 * Tables of the results in run folders or result files, one for each data set. What has no results is passed over, unless nothing
 * has any.
 */
export async function compare(
  paths: readonly string[],
  { onNote = () => {} }: { readonly onNote?: ((message: string) => void) | undefined } = {},
): Promise<ResultTable[]> {
  const found: FoundResult[][] = [];
  for (const path of paths) found.push(await findResults(path, onNote));
  if (found.every((results) => results.length === 0)) throw noResults(paths.join(", "));
  for (const [i, results] of found.entries()) if (results.length === 0) onNote(`no results in ${paths[i]}`);
  return resultTables(found.flat());
}
