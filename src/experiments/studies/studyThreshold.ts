import { csv } from "../../evaluation/results/csv.js";
import { openSketch } from "../../evaluation/results/openResults.js";
import { distinctSlug } from "../../evaluation/results/slug.js";
import { type Box, boxOf } from "../../metrics/boxOf.js";
import { type Objective, type ThresholdStudy, thresholdStudy } from "../../metrics/thresholdStudy.js";
import { UserError } from "../../platform/errors.js";
import { boxPlotFile } from "../../report/boxPlot.js";
import { byDataset, labels } from "../../report/resultTable.js";
import type { TextTable } from "../../report/textTable.js";
import { shortNames } from "./datasetNames.js";
import { type StudiedResult, studiedResults } from "./studiedResults.js";
import { rowsCsv, type Study, type StudyOptions, writeStudy } from "./study.js";

/** How thresholds are chosen and tried. */
export interface StudyThresholdOptions extends StudyOptions {
  /** How many labelled images a threshold may be chosen on; 1, 2, 5, 10, 20 and 50 when left out. */
  readonly labelled?: readonly number[] | undefined;
  /** Random choices of those images; 100 when left out. */
  readonly trials?: number | undefined;
  readonly seed?: number | undefined;
  /** What the threshold is chosen for, and measured by: A_MD (`amd`, when left out) or F0.5 (`f05`). */
  readonly objective?: Objective | undefined;
}

/** What a threshold gives on the images that it was not chosen on, over all trials. */
export interface ThresholdRow {
  readonly dataset: string;
  readonly run: string;
  readonly method: string;
  readonly objective: Objective;
  readonly images: number;
  /** 0: γ of the run, on all images. */
  readonly labelled: number;
  readonly trials: number;
  readonly mean: number;
  readonly lowest: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly highest: number;
  /** With the threshold that is best on all images, known only in hindsight. */
  readonly hindsight: number;
}

const titles: Readonly<Record<Objective, string>> = { amd: "A_MD", f05: "F0.5" };

/** A method on a data set, studied. */
interface Studied {
  readonly label: string;
  readonly entry: StudiedResult;
  readonly images: number;
  /** What γ gives, on all images; null of a method without one. */
  readonly atGamma: number | null;
  readonly study: ThresholdStudy;
}

/**
 * How many labelled images a threshold takes (Fig. 6): it is chosen on n random images and measured on the others, for each data set
 * and method of some runs. Writes a box plot and every trial of each data set, and one table of all.
 */
export async function studyThreshold(
  runs: readonly string[],
  options: StudyThresholdOptions = {},
): Promise<Study<ThresholdRow>> {
  const { labelled = [1, 2, 5, 10, 20, 50], trials = 100, seed = 0, objective = "amd", onNote } = options;
  const groups = byDataset(await studiedResults(runs, options));
  const names = shortNames([...groups.keys()]);
  const [rows, tables, taken] = [[] as ThresholdRow[], [] as TextTable[], new Set<string>()];
  const stem = `threshold-${objective}`;
  const files: Record<string, string> = {};
  for (const [dataset, entries] of groups) {
    const named = labels(entries);
    const all: Studied[] = [];
    for (const [i, entry] of entries.entries()) {
      const set = await openSketch(entry);
      const images = set.images.length;
      const fitting = fittingIn(labelled, images, dataset);
      const { atGamma } = entry.result;
      all.push({
        label: named[i]!,
        entry,
        images,
        atGamma: atGamma === null ? null : atGamma[objective],
        study: thresholdStudy(set, { labelled: fitting, trials, seed, objective }),
      });
    }
    const most = Math.min(...all.map(({ images }) => images));
    const left = labelled.filter((n) => n >= most);
    if (left.length > 0) onNote?.(`${dataset}: ${most} images, so ${left.join(", ")} would leave none to test on`);
    const own = all.map(rowsOf);
    rows.push(...own.flat());
    tables.push(tableOf(names.get(dataset)!, all, own, objective));
    const file = `${stem}-${distinctSlug(names.get(dataset)!, taken)}`;
    files[`${file}.svg`] = plotOf(names.get(dataset)!, all, objective, trials);
    files[`${file}.csv`] = trialsCsv(all, objective);
  }
  const summary = rowsCsv(rows);
  return { rows, csv: summary, tables, files: await writeStudy(runs, options, { [`${stem}.csv`]: summary, ...files }) };
}

/** The numbers of labelled images that leave one to test on. */
function fittingIn(labelled: readonly number[], images: number, dataset: string): number[] {
  const fitting = labelled.filter((n) => n < images);
  if (fitting.length > 0) return fitting;
  const hint = images < 2 ? "evaluate on more images" : `choose on at most ${images - 1}: --labelled`;
  throw new UserError(
    `${dataset}: ${images} ${images === 1 ? "image" : "images"} with labels, too few to choose a threshold on ${labelled.join(" or ")} and test it on the others`,
    { hint },
  );
}

function rowsOf({ entry, images, atGamma, study }: Studied): ThresholdRow[] {
  const { run, result } = entry;
  const choices = [...(atGamma === null ? [] : [{ labelled: 0, values: Float64Array.of(atGamma) }]), ...study.rows];
  return choices.map(({ labelled, values }) => {
    const { lowerQuartile, median, upperQuartile } = boxOf(values);
    return {
      dataset: result.dataset,
      run,
      method: result.method,
      objective: study.objective,
      images,
      labelled,
      trials: values.length,
      mean: values.reduce((sum, value) => sum + value, 0) / values.length,
      lowest: Math.min(...values),
      lowerQuartile,
      median,
      upperQuartile,
      highest: Math.max(...values),
      hindsight: study.oracle.value,
    };
  });
}

function tableOf(
  name: string,
  all: readonly Studied[],
  rows: readonly (readonly ThresholdRow[])[],
  objective: Objective,
): TextTable {
  const trials = Math.max(...rows.flat().map((row) => row.trials));
  return {
    title: `${name}: ${titles[objective]} where the threshold was chosen on n labelled images`,
    head: ["method", "n", "median", "middle half"],
    rows: all.flatMap(({ label, images, study }, i) => [
      ...rows[i]!.map(({ labelled, median, lowerQuartile, upperQuartile }, k) => ({
        cells: [
          k === 0 ? label : "",
          labelled === 0 ? "0 (γ)" : String(labelled),
          median.toFixed(3),
          labelled === 0 ? "" : `${lowerQuartile.toFixed(3)} to ${upperQuartile.toFixed(3)}`,
        ],
      })),
      { cells: ["", `all ${images}`, study.oracle.value.toFixed(3), ""], faint: true },
    ]),
    notes: [
      `${trials} random choices of n images each, measured on the others; γ and "all" (the best threshold in hindsight) on all images`,
    ],
  };
}

function plotOf(name: string, all: readonly Studied[], objective: Objective, trials: number): string {
  const numbers = [...new Set(all.flatMap(({ study }) => study.rows.map(({ labelled }) => labelled)))].sort(
    (a, b) => a - b,
  );
  const hasGamma = all.some(({ atGamma }) => atGamma !== null);
  const boxAt = ({ rows }: ThresholdStudy, n: number): Box | null => {
    const row = rows.find(({ labelled }) => labelled === n);
    return row === undefined ? null : boxOf(row.values);
  };
  return boxPlotFile({
    title: `${titles[objective]} by number of labelled images`,
    subtitle: name,
    x: { label: "labelled images for the threshold", names: [...(hasGamma ? ["0"] : []), ...numbers.map(String)] },
    y: { label: titles[objective] },
    panels: all.map(({ label, atGamma, study }) => ({
      label,
      at: [...(hasGamma ? [atGamma] : []), ...numbers.map((n) => boxAt(study, n))],
      line: study.oracle.value,
    })),
    legend: {
      box: `${trials} trials, on the other images`,
      single: "γ: no labelled image",
      line: "best threshold in hindsight",
    },
  });
}

/** Every trial, for plots of one's own. */
const trialsCsv = (all: readonly Studied[], objective: Objective): string =>
  csv([
    ["dataset", "method", "labelled", "trial", "threshold", objective],
    ...all.flatMap(({ label, entry, study }) =>
      study.rows.flatMap(({ labelled, values, thresholds }) =>
        [...values].map((value, trial) => [entry.result.dataset, label, labelled, trial, thresholds[trial]!, value]),
      ),
    ),
  ]);
