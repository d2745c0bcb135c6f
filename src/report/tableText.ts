import { csv } from "../evaluation/results/csv.js";
import { type Entry, type MethodTable, type ResultTable, resultTables } from "./resultTable.js";
import { type Cell, cellText, halfWidth } from "./tableCells.js";
import { lessImportant } from "./tableColumns.js";
import { type Inks, plainInks, type TextTable, textTables, widthOf } from "./textTable.js";

/** What most terminals, pages and mails show without breaking lines. */
const WIDTH = 100;

/** Tables for a terminal: one block a data set, best in bold, discounted struck through, means faint; as many columns as fit. */
export const tableText = (all: readonly ResultTable[], inks: Inks = plainInks, width = WIDTH): string =>
  textTables(
    all.map((table) => methodText(table.dataset, fitted(table, width))),
    inks,
  );

/** The table without those of the less important columns that do not fit, and a note of them. */
function fitted(table: ResultTable, width: number): ResultTable {
  const keys = new Set(table.columns.map(({ key }) => key));
  for (const key of lessImportant) {
    if (widthOf(methodText(table.dataset, withColumns(table, keys))) > width) keys.delete(key);
  }
  const left = table.columns.filter(({ key }) => !keys.has(key)).map(({ head }) => head);
  if (left.length === 0) return table;
  return {
    ...withColumns(table, keys),
    notes: [...table.notes, `also in --csv, --json and the report: ${left.join(", ")}`],
  };
}

function withColumns({ columns, rows, ...rest }: ResultTable, keys: ReadonlySet<string>): ResultTable {
  const kept = columns.map(({ key }) => keys.has(key));
  return {
    ...rest,
    columns: columns.filter((_, k) => kept[k]),
    rows: rows.map((row) => ({ ...row, cells: row.cells.filter((_, k) => kept[k]) })),
  };
}

/** A table of methods as text, with all its columns. */
export const methodText = (title: string, { columns, rows, notes }: MethodTable): TextTable => ({
  title,
  head: ["method", ...columns.map(({ head }) => head)],
  rows: rows.map(({ label, kind, cells }) => ({
    cells: [label, ...cells.map(inkedCell)],
    faint: kind === "mean",
  })),
  notes,
});

/** A cell as text, bold or struck through. */
export function inkedCell(cell: Cell): TextTable["rows"][number]["cells"][number] {
  const text = cellText(cell);
  return cell.struck ? { text, ink: "strike" } : cell.best ? { text, ink: "bold" } : text;
}

/** Results as such tables. */
export const resultText = (results: readonly Entry[], inks?: Inks): string => tableText(resultTables(results), inks);

/** The same as comma-separated values: p(a,c) and the ends of intervals in columns of their own. */
export const tableCsv = (tables: readonly ResultTable[]): string =>
  tables.map((table) => methodCsv(["dataset", table.dataset], table)).join("\n");

/** The same of one table of methods. The first column says what all of it is of, under a head. */
export function methodCsv([subject, name]: readonly [string, string], { columns, rows }: MethodTable): string {
  const paired = columns.map((_, k) => rows.some(({ cells }) => cells[k]!.pac !== null));
  const between = columns.map((_, k) => rows.some(({ cells }) => cells[k]!.interval !== null));
  const head = columns.flatMap(({ key }, k) => [
    key,
    ...(paired[k] ? [`${key}Pac`] : []),
    ...(between[k] ? [`${key}Low`, `${key}High`] : []),
  ]);
  const lines = rows.map(({ label, cells }) => [
    name,
    label,
    ...cells.flatMap(({ value, pac, interval }, k) => [
      value,
      ...(paired[k] ? [pac] : []),
      ...(between[k] ? [interval?.low ?? null, interval?.high ?? null] : []),
    ]),
  ]);
  return csv([[subject, "method", ...head], ...lines]);
}

/** The same for a paper: booktabs lines, \textbf for the best, \sout (package ulem) for discounted cells. */
export const tableLatex = (tables: readonly ResultTable[]): string =>
  tables.map((table) => methodLatex(table.dataset, table)).join("\n");

/** The same of one table of methods. */
export function methodLatex(title: string, { columns, rows, notes }: MethodTable): string {
  const heads = columns.map(({ head }) => latex(head).replace("A\\_MD", "$A_{MD}$").replace("F0.5", "$F_{0.5}$"));
  const lines = rows.map(({ label, kind, cells }) => {
    const shown = cells.map((cell) => {
      const half = cell.value === null ? null : halfWidth(cell.interval);
      const spread = half === null ? "" : ` {\\scriptsize$\\pm$${half}}`;
      const text = cellText({ ...cell, interval: null }).replace(/^-$/, "--") + spread;
      return cell.struck ? `\\sout{${text}}` : cell.best ? `\\textbf{${text}}` : text;
    });
    const rule = kind === "mean" ? "\\midrule\n" : "";
    return `${rule}${[latex(label), ...shown].join(" & ")} \\\\${kind === "mean" ? "\n\\midrule" : ""}`;
  });
  return [
    ...[title, ...notes].map((line) => `% ${line.replace(/[\r\n]/g, " ")}`),
    `\\begin{tabular}{l${"c".repeat(columns.length)}}`,
    "\\toprule",
    `${["method", ...heads].join(" & ")} \\\\`,
    "\\midrule",
    ...lines,
    "\\bottomrule",
    "\\end{tabular}",
    "",
  ].join("\n");
}

const marks: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  γ: "$\\gamma$",
};

/** Text as LaTeX prints it. */
export const latex = (text: string): string =>
  text.replace(/[\r\n]/g, " ").replace(/[\\~^γ#$%&_{}]/g, (mark) => marks[mark] ?? `\\${mark}`);

/** The same for programs: a record for each row. */
export const tableRows = (tables: readonly ResultTable[]): object[] =>
  tables.map(({ dataset, columns, rows, notes }) => ({
    dataset,
    notes,
    rows: rows.map(({ label, kind, cells }) => ({
      label,
      kind,
      ...Object.fromEntries(columns.map(({ key }, k) => [key, cells[k]!])),
    })),
  }));
