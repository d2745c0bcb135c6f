import { csv } from "../evaluation/results/csv.js";
import { cellText, type ResultTable } from "./resultTable.js";

/** How a terminal shows what matters; plain text where it cannot. */
export interface Inks {
  readonly bold: (text: string) => string;
  readonly strike: (text: string) => string;
  readonly faint: (text: string) => string;
  /** Makes names from files safe to print. */
  readonly printable: (text: string) => string;
}

/** Tables for a terminal: one block a data set, best in bold, discounted struck through, means faint. */
export function tableText(tables: readonly ResultTable[], { bold, strike, faint, printable }: Inks): string {
  return tables
    .map(({ dataset, columns, rows, notes }) => {
      const labels = rows.map(({ label }) => printable(label));
      const first = Math.max(6, ...labels.map((label) => [...label].length));
      const texts = rows.map(({ cells }) => cells.map(cellText));
      const widths = columns.map(({ head }, k) => Math.max(head.length, ...texts.map((row) => row[k]!.length)));
      const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - [...text].length));
      const lines = rows.map(({ kind, cells }, i) => {
        const shown = cells.map((cell, k) => {
          const text = texts[i]![k]!;
          const inked = cell.struck ? strike(text) : cell.best ? bold(text) : text;
          return inked + " ".repeat(widths[k]! - text.length);
        });
        const line = `${pad(labels[i]!, first)}  ${shown.join("  ")}`.trimEnd();
        return kind === "mean" ? faint(line) : line;
      });
      const head = `${pad("method", first)}  ${columns.map((column, k) => pad(column.head, widths[k]!)).join("  ")}`;
      return `${bold(printable(dataset))}\n${faint(head.trimEnd())}\n${lines.join("\n")}\n${notes.map((note) => `${faint(printable(note))}\n`).join("")}`;
    })
    .join("\n");
}

/** The same as comma-separated values: p(a,c) in a column of its own. */
export function tableCsv(tables: readonly ResultTable[]): string {
  return tables
    .map(({ dataset, columns, rows }) => {
      const paired = columns.map((_, k) => rows.some(({ cells }) => cells[k]!.pac !== null));
      const head = columns.flatMap(({ key }, k) => (paired[k] ? [key, `${key}Pac`] : [key]));
      const lines = rows.map(({ label, cells }) => [
        dataset,
        label,
        ...cells.flatMap(({ value, pac }, k) => (paired[k] ? [value, pac] : [value])),
      ]);
      return csv([["dataset", "method", ...head], ...lines]);
    })
    .join("\n");
}

/** The same for a paper: booktabs lines, \textbf for the best, \sout (package ulem) for discounted cells. */
export function tableLatex(tables: readonly ResultTable[]): string {
  return tables
    .map(({ dataset, columns, rows, notes }) => {
      const heads = columns.map(({ head }) => latex(head).replace("A\\_MD", "$A_{MD}$").replace("F0.5", "$F_{0.5}$"));
      const lines = rows.map(({ label, kind, cells }) => {
        const shown = cells.map((cell) => {
          const text = cellText(cell).replace(/^-$/, "--");
          return cell.struck ? `\\sout{${text}}` : cell.best ? `\\textbf{${text}}` : text;
        });
        const rule = kind === "mean" ? "\\midrule\n" : "";
        return `${rule}${[latex(label), ...shown].join(" & ")} \\\\${kind === "mean" ? "\n\\midrule" : ""}`;
      });
      return [
        ...[dataset, ...notes].map((line) => `% ${line.replace(/[\r\n]/g, " ")}`),
        `\\begin{tabular}{l${"c".repeat(columns.length)}}`,
        "\\toprule",
        `${["method", ...heads].join(" & ")} \\\\`,
        "\\midrule",
        ...lines,
        "\\bottomrule",
        "\\end{tabular}",
        "",
      ].join("\n");
    })
    .join("\n");
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
