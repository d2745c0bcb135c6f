import type { ResultFile } from "../evaluation/results/resultFile.js";
import { columnCells, type Row, withMeans } from "./tableCells.js";
import { type ColumnHead, columns } from "./tableColumns.js";
import { compareRows, type TablePlaces, tablePlaces } from "./tablePlaces.js";

/** Methods in rows. */
export interface MethodTable {
  readonly columns: readonly ColumnHead[];
  readonly rows: readonly Row[];
  /** What a reader must know to compare the rows. */
  readonly notes: readonly string[];
}

/** All methods on one data set, with a column for each measure that has a number. */
export interface ResultTable extends MethodTable {
  readonly dataset: string;
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
  const shown = columns.filter((column) => entries.some(({ result }) => column.of(result) !== null));
  const cells = shown.map((column) =>
    columnCells(
      column,
      entries.map(({ result }) => result),
    ),
  );
  const rows = withMeans(
    entries.map(({ result: { method } }, i) => ({ label: names[i]!, method })),
    cells,
    places,
  );
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
    ...remarkNotes(entries, names),
  ];
}

/** On what settings were chosen (B-12), and which: settings chosen on the test images look better than they are. */
function choiceNotes(entries: readonly Entry[], names: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const [i, { result }] of entries.entries()) {
    if (result.chosen === null) continue;
    const { by, on, settings } = result.chosen;
    const where =
      by === "fixed"
        ? "settings chosen on no images"
        : by === "best-on-test"
          ? "settings chosen on these very test images"
          : `settings chosen on held-out source images (${on})`;
    const listed = Object.entries(settings).map(([name, value]) => `${name} ${shown(value)}`);
    groups.set(where, [...(groups.get(where) ?? []), `${names[i]} ${listed.join(", ")}`]);
  }
  return [...groups].map(([where, who]) => `${where}: ${who.join("; ")}`);
}

/** What somebody must know of a result, e.g. that images had two roles; with the rows it is of, unless it is of all. */
function remarkNotes(entries: readonly Entry[], names: readonly string[]): string[] {
  const of = new Map<string, string[]>();
  for (const [i, { result }] of entries.entries())
    for (const remark of new Set(result.remarks)) of.set(remark, [...(of.get(remark) ?? []), names[i]!]);
  return [...of].map(([remark, who]) => (who.length === entries.length ? remark : `${remark} (${who.join(", ")})`));
}

const shown = (value: number | string): string =>
  typeof value === "number" ? String(Number(value.toPrecision(4))) : value;
