import { openSketch } from "../../evaluation/results/openResults.js";
import type { Sketch } from "../../metrics/sketch.js";
import { crossThresholds } from "../../metrics/thresholdStudy.js";
import { UserError } from "../../platform/errors.js";
import type { TextTable } from "../../report/textTable.js";
import { datasetCalled, ownDomain, shortNames } from "./datasetNames.js";
import { byMethod, datasetsOf, groupedBy, type StudiedResult, studiedResults } from "./studiedResults.js";
import { type Homes, rowsCsv, type Study, type StudyOptions, signed, writeStudy } from "./study.js";

/** Which models are looked at, and where they are at home. */
export interface StudyTransferOptions extends StudyOptions, Homes {
  /** The data set of the domain that the runs were adapted to, by name or part of it; that of the last target when left out. */
  readonly own?: string | undefined;
}

/** A model on a data set, with the best threshold there and with that of its own domain. */
export interface TransferRow {
  readonly run: string;
  readonly method: string;
  readonly own: string;
  /** Where F0.5 is largest in its own domain. */
  readonly threshold: number;
  readonly dataset: string;
  readonly maxF05: number;
  readonly f05: number;
  /** 100·(f05 / maxF05 - 1) */
  readonly changePercent: number;
}

/**
 * What a threshold loses in other domains (Table 11): F0.5 at the threshold that is best in a model's own domain, beside the best there is.
 * A model is a method of a run with results on several data sets.
 */
export async function studyTransfer(
  runs: readonly string[],
  options: StudyTransferOptions = {},
): Promise<Study<TransferRow>> {
  const results = await studiedResults(runs, options);
  const names = shortNames(datasetsOf(results));
  const [rows, tables] = [[] as TransferRow[], [] as TextTable[]];
  for (const [folder, ofRun] of groupedBy(results, (one) => one.folder)) {
    const datasets = datasetsOf(ofRun);
    if (datasets.length < 2) {
      throw new UserError(`${folder}: results on one data set, ${datasets[0]}`, {
        hint: "a threshold is carried from one data set to others: evaluate the run on more of them",
      });
    }
    const named = options.own ?? options.homes?.get(folder);
    const own = named === undefined ? await ownDomain(folder, datasets) : datasetCalled(named, datasets);
    for (const [method, ofMethod] of byMethod(ofRun)) {
      const carried = await carriedFrom(own, ofMethod);
      if (carried.length < 2) options.onNote?.(`${method} of ${folder}: not on ${own} and another data set: left out`);
      else {
        rows.push(...carried);
        tables.push(tableOf(carried, names));
      }
    }
  }
  if (rows.length === 0) {
    throw new UserError(`no method has results on its own data set and on another one`, {
      hint: "evaluate the same methods on several data sets",
    });
  }
  const csv = rowsCsv(rows);
  return { rows, csv, tables, files: await writeStudy(runs, options, { "transfer.csv": csv }) };
}

/** A method of a run on all its data sets, its own first; none where it was not measured there. */
async function carriedFrom(own: string, entries: readonly StudiedResult[]): Promise<TransferRow[]> {
  const home = entries.find(({ result }) => result.dataset === own);
  if (home === undefined || home.result.maxF05 === null) return [];
  const { threshold } = home.result.maxF05;
  const sketches = new Map<string, Sketch>();
  for (const entry of [home, ...entries.filter((one) => one !== home)]) {
    sketches.set(entry.result.dataset, (await openSketch(entry)).total);
  }
  return crossThresholds(own, sketches).map(({ domain, best, carried, changePercent }) => ({
    run: home.run,
    method: home.result.method,
    own,
    threshold,
    dataset: domain,
    maxF05: best,
    f05: carried,
    changePercent,
  }));
}

function tableOf(rows: readonly TransferRow[], names: ReadonlyMap<string, string>): TextTable {
  const { run, method, own, threshold } = rows[0]!;
  return {
    title: `${method} (${run}): threshold ${Number(threshold.toPrecision(4))}, best on ${names.get(own)}`,
    head: ["data set", "MaxF0.5", "F0.5 with it", "difference"],
    rows: rows.map(({ dataset, maxF05, f05, changePercent }) => ({
      cells: [names.get(dataset)!, maxF05.toFixed(4), f05.toFixed(4), `${signed(changePercent, 3)} %`],
    })),
    notes: [],
  };
}
