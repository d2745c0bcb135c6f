import { printable } from "../platform/printable.js";

/** How a terminal shows what matters; plain text where it cannot. */
export interface Inks {
  readonly bold: (text: string) => string;
  readonly strike: (text: string) => string;
  readonly faint: (text: string) => string;
}

export const plainInks: Inks = { bold: (text) => text, strike: (text) => text, faint: (text) => text };

/** A table of text: a title, columns with heads, notes below. */
export interface TextTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly {
    readonly cells: readonly (string | { readonly text: string; readonly ink: "bold" | "strike" })[];
    /** Not a row like the others, e.g. a mean of them. */
    readonly faint?: boolean;
  }[];
  readonly notes: readonly string[];
}

/** Tables for a terminal, one below the other. */
export const textTables = (tables: readonly TextTable[], inks: Inks = plainInks): string =>
  tables.map((table) => textTable(table, inks)).join("\n");

function textTable(table: TextTable, inks: Inks): string {
  const { title, head, rows, notes } = table;
  const widths = widthsOf(table);
  const line = (cells: TextTable["rows"][number]["cells"]): string =>
    cells
      .map((cell, k) => {
        const text = textOf(cell);
        const inked = typeof cell === "string" ? text : inks[cell.ink](text);
        return inked + " ".repeat(widths[k]! - lengthOf(text));
      })
      .join("  ")
      .trimEnd();
  return [
    inks.bold(printable(title)),
    inks.faint(line(head)),
    ...rows.map(({ cells, faint }) => (faint ? inks.faint(line(cells)) : line(cells))),
    ...notes.map((note) => inks.faint(printable(note))),
    "",
  ].join("\n");
}

/** Characters of the widest line of its columns. */
export const widthOf = (table: TextTable): number => widthsOf(table).reduce((sum, width) => sum + width + 2, 0) - 2;

const widthsOf = ({ head, rows }: TextTable): number[] =>
  head.map((name, k) => Math.max(lengthOf(name), ...rows.map(({ cells }) => lengthOf(textOf(cells[k]!)))));

const textOf = (cell: TextTable["rows"][number]["cells"][number]): string =>
  printable(typeof cell === "string" ? cell : cell.text);

const lengthOf = (text: string): number => [...text].length;
