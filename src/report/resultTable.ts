import type { ResultFile } from "../evaluation/results/resultFile.js";
import { bestRows, isDiscounted, pairMean, type ValueAtPac } from "../metrics/paperTables.js";
import { averagedFamily, compareRows, type TablePlaces, tablePlaces } from "./tablePlaces.js";

/** A number of the table: a value, for some with its p(a,c). */
interface Measure {
  readonly value: number;
  readonly pac: number | null;
}

/** What stands in a column, and which way is better. */
export interface Column {
  readonly key: string;
  readonly head: string;
  /** In words, for tooltips and screen readers. */
  readonly meaning: string;
  readonly better: "higher" | "lower";
  /** Struck through where its p(a,c) prints as 0.000 (E-7). */
  readonly discounts?: true;
  of(result: ResultFile): Measure | null;
}

const alone = (value: number | null | undefined): Measure | null =>
  typeof value === "number" ? { value, pac: null } : null;

/** What tables of results show. */
export const columns: readonly Column[] = [
  {
    key: "accuracy",
    head: "accuracy",
    meaning: "share of scored pixels that are right",
    better: "higher",
    of: (r) => alone(r.accuracy),
  },
  {
    key: "meanIou",
    head: "mIoU",
    meaning: "overlap of predicted and true classes, averaged over classes",
    better: "higher",
    of: (r) => alone(r.segmentation?.meanIou),
  },
  {
    key: "auroc",
    head: "AUROC",
    meaning: "chance that a wrong pixel is less certain than a right one",
    better: "higher",
    of: (r) => alone(r.auroc),
  },
  {
    key: "aupr",
    head: "AUPR",
    meaning: "average precision of calling pixels right; chance level is the accuracy",
    better: "higher",
    of: (r) => alone(r.aupr),
  },
  {
    key: "maxAmd",
    head: "MaxA_MD",
    meaning: "best share of pixels for which certain and right agree, and the share of pixels that are both",
    better: "higher",
    discounts: true,
    of: (r) => r.maxAmd,
  },
  {
    key: "maxF05",
    head: "MaxF0.5",
    meaning: "best F0.5 of certain pixels, and the share of pixels that are certain and right",
    better: "higher",
    of: (r) => r.maxF05,
  },
  {
    key: "atGamma",
    head: "A_MD at γ",
    meaning: "A_MD at the method's own threshold, chosen without labels, with p(a,c)",
    better: "higher",
    discounts: true,
    of: (r) => (r.atGamma === null ? null : { value: r.atGamma.amd, pac: r.atGamma.pac }),
  },
  {
    key: "fpr95",
    head: "FPR@95",
    meaning: "share of wrong pixels still certain where 95 % of the right ones are",
    better: "lower",
    of: (r) => alone(r.fpr95),
  },
  {
    key: "aurc",
    head: "AURC",
    meaning: "error rate among pixels at most as uncertain, averaged",
    better: "lower",
    of: (r) => alone(r.aurc),
  },
  {
    key: "ece",
    head: "ECE",
    meaning: "how far confidence and accuracy are apart",
    better: "lower",
    of: (r) => alone(r.ece),
  },
  {
    key: "brier",
    head: "Brier",
    meaning: "squared distance between confidence and whether the pixel is right",
    better: "lower",
    of: (r) => alone(r.brier),
  },
  {
    key: "auprOfficial500",
    head: "AUPR-500",
    meaning: "AUPR as the authors' tester computes it, at 500 thresholds: for comparison with the paper's tables",
    better: "higher",
    of: (r) => alone(r.auprOfficial500),
  },
];

/** Columns that a narrow table leaves out, from the first on; files and the report have all of them. */
export const lessImportant: readonly string[] = [
  "auprOfficial500",
  "brier",
  "ece",
  "aurc",
  "fpr95",
  "meanIou",
  "maxF05",
];

export interface Cell {
  readonly value: number | null;
  readonly pac: number | null;
  readonly best: boolean;
  readonly struck: boolean;
  /** Why there is no number. */
  readonly reason: string | null;
  /** Bootstrap over images. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

export interface Row {
  readonly label: string;
  readonly kind: "method" | "mean";
  readonly cells: readonly Cell[];
}

/** All methods on one data set. Columns without a single number are left out. */
export interface ResultTable {
  readonly dataset: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** What a reader must know to compare the rows. */
  readonly notes: readonly string[];
}

/** What a table is made of: a result and the run it comes from. */
export interface Entry {
  readonly run: string;
  readonly result: ResultFile;
}

/** The method's name; with its run where several runs have it on this data set. */
export function labels(entries: readonly Entry[]): string[] {
  const times = new Map<string, number>();
  for (const { result } of entries) times.set(result.method, (times.get(result.method) ?? 0) + 1);
  return entries.map(({ run, result: { method } }) =>
    times.get(method) === 1 || run === "" ? method : `${method} (${run})`,
  );
}

/** Entries by data set, in the order in which data sets first appear; the paper's baselines in its order, other baselines, ours. */
export function byDataset<T extends Entry>(
  entries: readonly T[],
  places: TablePlaces = tablePlaces(),
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) groups.set(entry.result.dataset, [...(groups.get(entry.result.dataset) ?? []), entry]);
  for (const group of groups.values())
    group.sort((a, b) => compareRows(places(a.result.method), places(b.result.method)));
  return groups;
}

/** One table for each data set, with the mean of each of the paper's families below it. */
export function resultTables(entries: readonly Entry[], places: TablePlaces = tablePlaces()): ResultTable[] {
  return [...byDataset(entries, places)].map(([dataset, group]) => tableOf(dataset, group, places));
}

function tableOf(dataset: string, entries: readonly Entry[], places: TablePlaces): ResultTable {
  const names = labels(entries);
  const order = entries.map(({ result }, i) => ({ label: names[i]!, family: averagedFamily(places(result.method)) }));
  const shown = columns.filter((column) => entries.some(({ result }) => column.of(result) !== null));
  const cells = shown.map((column) =>
    columnCells(
      column,
      entries.map(({ result }) => result),
    ),
  );
  const rows: Row[] = [];
  for (const [i, { label, family }] of order.entries()) {
    rows.push({ label, kind: "method", cells: cells.map((column) => column[i]!) });
    const last = family !== null && order[i + 1]?.family !== family;
    const members = order.flatMap((other, k) => (other.family === family ? [k] : []));
    if (last && members.length > 1) {
      const name = `mean ${family}`;
      rows.push({ label: name, kind: "mean", cells: cells.map((column) => meanCell(members.map((k) => column[k]!))) });
    }
  }
  return { dataset, columns: shown, rows, notes: notesOf(entries, names) };
}

/** Which pixels were scored (D-4); and a warning where rows did not score the same ones. */
function notesOf(entries: readonly Entry[], names: readonly string[]): string[] {
  const by = (of: (result: ResultFile) => string): string[] => {
    const groups = new Map<string, string[]>();
    for (const [i, { result }] of entries.entries())
      groups.set(of(result), [...(groups.get(of(result)) ?? []), names[i]!]);
    const [only] = groups.keys();
    return groups.size === 1 ? [only!] : [...groups].map(([text, who]) => `${text} (${who.join(", ")})`);
  };
  const treated = { inaccurate: "count as wrong", ignore: "are not scored" } as const;
  const policies = by(
    ({ policy }) =>
      `policy ${policy.name}: unknown pixels ${treated[policy.unknown]}, void ones ${treated[policy.void]}`,
  );
  const pixels = by((result) => `${result.pixels} scored pixels in ${result.images} images`);
  const alike = policies.length === 1 && pixels.length === 1;
  const warning = alike ? [] : ["rows scored different pixels: do not compare them"];
  const paired = entries.some(({ result }) => result.maxAmd !== null) ? ["numbers after @ are p(a,c)"] : [];
  const between = entries.some(({ result }) => result.intervals !== null)
    ? ["± is half of a 95 % interval over images"]
    : [];
  return [
    ...policies,
    ...pixels,
    ...warning,
    ...[[...paired, ...between].join("; ")].filter(Boolean),
    ...choiceNotes(entries, names),
  ];
}

/** On what settings were chosen (B-12), and which: settings chosen on the test images look better than they are. */
function choiceNotes(entries: readonly Entry[], names: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const [i, { result }] of entries.entries()) {
    if (result.chosen === null || result.chosen.among === 1) continue;
    const { by, on, settings } = result.chosen;
    const where = by === "best-on-test" ? "on these very test images" : `on held-out source images (${on})`;
    const listed = Object.entries(settings).map(([name, value]) => `${name} ${shown(value)}`);
    groups.set(where, [...(groups.get(where) ?? []), `${names[i]} ${listed.join(", ")}`]);
  }
  return [...groups].map(([where, who]) => `settings chosen ${where}: ${who.join("; ")}`);
}

const shown = (value: number | string): string =>
  typeof value === "number" ? String(Number(value.toPrecision(4))) : value;

function columnCells(column: Column, results: readonly ResultFile[]): Cell[] {
  const found = results.map((result) => column.of(result));
  const struck = found.map(
    (at) =>
      column.discounts === true && at !== null && at.pac !== null && isDiscounted({ value: at.value, pac: at.pac }),
  );
  const sign = column.better === "higher" ? 1 : -1;
  const top = new Set(
    bestRows(
      found.map((at) => (at === null ? null : sign * at.value)),
      struck,
    ),
  );
  return found.map((at, i) => ({
    value: at?.value ?? null,
    pac: at?.pac ?? null,
    best: top.has(i),
    struck: struck[i]!,
    reason: at === null ? (results[i]!.reasons[column.key] ?? null) : null,
    interval: intervalOf(results[i]!, column.key),
  }));
}

function intervalOf({ intervals }: ResultFile, key: string): Cell["interval"] {
  if (intervals === null || !(key in intervals)) return null;
  return intervals[key as keyof typeof intervals];
}

function meanCell(cells: readonly Cell[]): Cell {
  const mean = pairMean(
    cells.map(({ value, pac }): ValueAtPac | null => (value === null ? null : { value, pac: pac ?? 0 })),
  );
  const paired = cells.some(({ pac }) => pac !== null);
  return {
    value: mean?.value ?? null,
    pac: paired ? (mean?.pac ?? null) : null,
    best: false,
    struck: false,
    reason: null,
    interval: null,
  };
}

/** "0.830", "0.830±.011", "0.830 @ 0.625", or a dash. */
export function cellText({ value, pac, interval }: Pick<Cell, "value" | "pac" | "interval">): string {
  if (value === null) return "-";
  if (pac !== null) return `${value.toFixed(3)} @ ${pac.toFixed(3)}`;
  const half = halfWidth(interval);
  return half === null ? value.toFixed(3) : `${value.toFixed(3)}±${half.replace(/^0/, "")}`;
}

/** Half of an interval, with three digits. */
export const halfWidth = (interval: Cell["interval"]): string | null =>
  interval === null ? null : ((interval.high - interval.low) / 2).toFixed(3);
