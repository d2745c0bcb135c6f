import { expect, test } from "vitest";
import { boxOf } from "../metrics/boxOf.js";
import { type BoxPlot, boxPlotFile } from "./boxPlot.js";

const plot: BoxPlot = {
  title: "A_MD",
  subtitle: "town <day>",
  x: { label: "labelled images", names: ["0", "1", "2"] },
  y: { label: "A_MD" },
  panels: [
    { label: "ours", at: [0.5, boxOf([0.4, 0.5, 0.6]), boxOf([0.5, 0.5, 0.5, 0.5, 0.9])], line: 0.8 },
    { label: "theirs", at: [null, boxOf([0.1, 0.2]), null], line: 0.3 },
  ],
  legend: { box: "trials", single: "γ", line: "in hindsight" },
};
const count = (svg: string, what: RegExp): number => [...svg.matchAll(what)].length;

test("each box, outlier, single value and line is drawn once, and once in the legend", () => {
  const svg = boxPlotFile(plot);
  expect(count(svg, /class="box"/g)).toBe(3 + 1);
  expect(count(svg, /class="whisker"/g)).toBe(3);
  expect(count(svg, /class="outlier"/g)).toBe(1);
  expect(count(svg, /class="single"/g)).toBe(1 + 1);
  expect(count(svg, /class="line"/g)).toBe(2 + 1);
  expect(svg).not.toContain("<day>");
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

test("panels share the axis: the same value is at the same height in both", () => {
  const at = (value: number) =>
    boxPlotFile({ ...plot, panels: plot.panels.map((panel) => ({ ...panel, line: value })) });
  const heights = [...at(0.55).matchAll(/class="line" d="M50 ([\d.]+)h/g)].map(([, y]) => Number(y));
  expect(heights).toHaveLength(2);
  expect(heights[0]).toBe(heights[1]);
});

test("without a single value the legend does not speak of one", () => {
  const svg = boxPlotFile({ ...plot, panels: plot.panels.slice(1) });
  expect(svg).not.toContain("γ");
});

test("a long title widens the drawing", () => {
  const width = (title: string) => Number(/width="(\d+)"/.exec(boxPlotFile({ ...plot, title }))![1]);
  expect(width("A_MD")).toBe(640);
  expect(width("x".repeat(200))).toBeGreaterThan(1800);
});
