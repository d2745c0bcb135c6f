import type { ResultFile } from "../evaluation/results/resultFile.js";
import type { MethodTable } from "./resultTable.js";
import { type Cell, columnCells, withMeans } from "./tableCells.js";
import { type Column, columnOf } from "./tableColumns.js";
import { tablePlaces } from "./tablePlaces.js";

/** A row of results: of a method in each of some domains. */
export interface DomainRow {
  readonly label: string;
  /** Says which family's mean it belongs to. */
  readonly method: string;
  /** In the order of the domains; null where it was not measured. */
  readonly results: readonly (ResultFile | null)[];
}

/** One measure of all methods, with a column for each domain: the form of the paper's Tables 2 to 9 and 13. */
export function domainTable(measure: string, domains: readonly string[], rows: readonly DomainRow[]): MethodTable {
  const column = columnOf(measure);
  const cells = domains.map((_, k) => cellsOf(column, rows, k));
  return {
    columns: domains.map((head) => ({ ...column, key: head, head })),
    rows: withMeans(rows, cells, tablePlaces()),
    notes: notesOf(cells),
  };
}

/** Some measures of all methods in the first domain, with a column for each measure: the form of Table 14. */
export function measureTable(measures: readonly string[], rows: readonly DomainRow[]): MethodTable {
  const shown = measures.map(columnOf);
  const cells = shown.map((column) => cellsOf(column, rows, 0));
  return { columns: shown, rows: withMeans(rows, cells, tablePlaces()), notes: notesOf(cells) };
}

const cellsOf = (column: Column, rows: readonly DomainRow[], domain: number): Cell[] =>
  columnCells(
    column,
    rows.map(({ results }) => results[domain] ?? null),
  );

/** What stands beside numbers. */
function notesOf(cells: readonly (readonly Cell[])[]): string[] {
  const all = cells.flat();
  return [
    ...(all.some(({ pac }) => pac !== null) ? ["numbers after @ are p(a,c)"] : []),
    ...(all.some(({ pac, interval }) => pac === null && interval !== null)
      ? ["± is half of a 95 % interval over images"]
      : []),
  ];
}
