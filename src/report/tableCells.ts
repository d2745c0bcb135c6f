import type { ResultFile } from "../evaluation/results/resultFile.js";
import { bestRows, isDiscounted, pairMean, type ValueAtPac } from "../metrics/paperTables.js";
import type { Column } from "./tableColumns.js";
import { averagedFamily, type TablePlaces } from "./tablePlaces.js";

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

/** Methods with a cell for each column, and the mean of each of the paper's families below its last member. */
export function withMeans(
  methods: readonly { readonly label: string; readonly method: string }[],
  columns: readonly (readonly Cell[])[],
  places: TablePlaces,
): Row[] {
  const families = methods.map(({ method }) => averagedFamily(places(method)));
  return methods.flatMap(({ label }, i) => {
    const row: Row = { label, kind: "method", cells: columns.map((column) => column[i]!) };
    const family = families[i]!;
    const members = [...families.keys()].filter((k) => families[k] === family);
    if (family === null || members.length === 1 || i !== members.at(-1)) return [row];
    const means = columns.map((column) => meanCell(members.map((k) => column[k]!)));
    return [row, { label: `mean ${family}`, kind: "mean", cells: means }];
  });
}

/** A column's cells, one for each result; an empty one where there is none. */
export function columnCells(column: Column, results: readonly (ResultFile | null)[]): Cell[] {
  const found = results.map((result) => (result === null ? null : column.of(result)));
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
    reason: at === null ? (results[i]?.reasons[column.key] ?? null) : null,
    interval: intervalOf(results[i]!, column.key),
  }));
}

function intervalOf(result: ResultFile | null, key: string): Cell["interval"] {
  const intervals = result?.intervals ?? null;
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
