import { csv } from "../evaluation/results/csv.js";
import type { Plot } from "./plot.js";
import { latex } from "./tableText.js";

/** The points of a plot as comma-separated values. */
export function plotCsv({ x, y, series }: Plot): string {
  return csv([
    ["method", x.label, y.label],
    ...series.flatMap(({ label, points }) => points.map((point) => [label, rounded(point.x), rounded(point.y)])),
  ]);
}

/** The plot for a paper, drawn by pgfplots. */
export function plotLatex({ title, x, y, series }: Plot): string {
  return [
    "% needs \\usepackage{pgfplots}",
    "\\begin{tikzpicture}",
    `\\begin{axis}[title={${latex(title)}}, xlabel={${latex(x.label)}}, ylabel={${latex(y.label)}}, xmin=${x.from}, xmax=${x.to}, ymin=${y.from}, ymax=${y.to}, legend pos=outer north east]`,
    ...series.flatMap(({ label, points }) => [
      "\\addplot+[no marks, thick] coordinates {",
      points.map((point) => `(${rounded(point.x)},${rounded(point.y)})`).join(" "),
      "};",
      `\\addlegendentry{${latex(label)}}`,
    ]),
    "\\end{axis}",
    "\\end{tikzpicture}",
    "",
  ].join("\n");
}

const rounded = (value: number): number => Number(value.toPrecision(6));
