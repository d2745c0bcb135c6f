import { expect, test } from "vitest";
import type { ResultFile } from "../evaluation/results/resultFile.js";
import { resultTables } from "./resultTable.js";
import { tableCsv, tableLatex, tableText } from "./tableText.js";
import { bestAt, resultWith } from "./testing/resultWith.js";

const plain = (text: string): string => text;
const inks = { bold: (text: string) => `*${text}*`, strike: (text: string) => `~${text}~`, faint: plain };

const entry = (method: string, numbers: Partial<ResultFile>, run = "") => ({
  run,
  result: resultWith(method, numbers),
});

test("the best of each column is bold, also where lower is better", () => {
  const [table] = resultTables([entry("a", { auroc: 0.7, fpr95: 0.4 }), entry("b", { auroc: 0.8, fpr95: 0.6 })]);
  expect(tableText([table!], inks).split("\n")).toEqual([
    "*town*",
    "method  AUROC  FPR@95",
    "a       0.700  *0.400*",
    "b       *0.800*  0.600",
    "policy paper: unknown pixels count as wrong, void ones are not scored",
    "0 scored pixels in 0 images",
    "",
  ]);
});

test("a MaxA_MD at p(a,c) 0.000 is struck through and never the best", () => {
  const [table] = resultTables([
    entry("DUM", { maxAmd: bestAt(0.9, 0.0004) }),
    entry("γ-SSL", { maxAmd: bestAt(0.7, 0.26) }),
  ]);
  expect(table!.rows.map(({ cells }) => [cells[0]!.struck, cells[0]!.best])).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(tableLatex([table!])).toContain("DUM & \\sout{0.900 @ 0.000} \\\\");
  expect(tableLatex([table!])).toContain("$\\gamma$-SSL & \\textbf{0.700 @ 0.260} \\\\");
});

test("baselines stand in the paper's order with the mean of each group, ours last", () => {
  const [table] = resultTables([
    entry("gamma-ssl", { auroc: 0.9 }),
    entry("vim", { auroc: 0.6 }),
    entry("max-softmax", { auroc: 0.7, maxAmd: bestAt(0.6, 0.3) }),
    entry("MCD-PE_0.2", { auroc: 0.75 }),
  ]);
  expect(table!.rows.map(({ label }) => label)).toEqual([
    "MCD-PE_0.2",
    "max-softmax",
    "vim",
    "mean representation",
    "gamma-ssl",
  ]);
  expect(table!.rows[3]!.cells.map(({ value, pac }) => [value?.toFixed(3), pac])).toEqual([
    ["0.650", null],
    ["0.600", 0.3],
  ]);
});

test("baselines beyond the paper stand between its own and ours", () => {
  const [table] = resultTables(["gamma-ssl", "knn", "no-ssl", "dum"].map((method) => entry(method, { auroc: 0.5 })));
  expect(table!.rows.map(({ label }) => label)).toEqual(["dum", "knn", "no-ssl", "gamma-ssl"]);
});

test("B-12: a table says on which images settings were chosen, and which they are", () => {
  const chosen = (by: "source-val" | "best-on-test", on: string, settings: Record<string, number>) => ({
    chosen: { by, on, among: 10, settings },
  });
  const [table] = resultTables([
    entry("max-softmax", chosen("source-val", "city", { temperature: 2 })),
    entry("odin", chosen("best-on-test", "town", { temperature: 2, epsilon: 0.0014 })),
    entry("dum", { chosen: { by: "fixed", on: null, among: 1, settings: { prior: 1 } } }),
  ]);
  expect(table!.notes.slice(2)).toEqual([
    "settings chosen on held-out source images (city): max-softmax temperature 2",
    "settings chosen on these very test images: odin temperature 2, epsilon 0.0014",
    "settings chosen on no images: dum prior 1",
  ]);
});

test("rows that did not score the same pixels are not passed off as comparable", () => {
  const official = { name: "official", unknown: "inaccurate", void: "inaccurate" } as const;
  const [table] = resultTables([entry("a", { pixels: 10 }), entry("b", { pixels: 12, policy: official })]);
  expect(table!.notes).toEqual([
    "policy paper: unknown pixels count as wrong, void ones are not scored (a)",
    "policy official: unknown pixels count as wrong, void ones count as wrong (b)",
    "10 scored pixels in 0 images (a)",
    "12 scored pixels in 0 images (b)",
    "rows scored different pixels: do not compare them",
  ]);
});

test("a method of two runs is told apart by its run", () => {
  const [table] = resultTables([entry("a", { auroc: 0.7 }, "one"), entry("a", { auroc: 0.8 }, "two")]);
  expect(table!.rows.map(({ label }) => label)).toEqual(["a (one)", "a (two)"]);
});

test("names are made harmless in the terminal, in CSV and in LaTeX", () => {
  const tables = resultTables([entry("=x\u001b[2J\u0007\n100%_{\\", { auroc: 0.5 })]);
  expect(tableText(tables, inks)).toContain("=x\\x1b[2J\\x07\\x0a100%_{\\");
  expect(tableCsv(tables)).toContain('town,"\'=x\u001b[2J\u0007\n100%_{\\",0.5');
  expect(tableLatex(tables)).toContain("100\\%\\_\\{\\textbackslash{}");
});

test("a table has its intervals in the terminal, in CSV and in LaTeX", () => {
  const interval = (low: number, high: number) => ({ low, high });
  const intervals = {
    accuracy: null,
    auroc: interval(0.69, 0.712),
    aupr: null,
    maxAmd: interval(0.6, 0.7),
    maxF05: null,
  };
  const tables = resultTables([
    entry("a", { auroc: 0.7, maxAmd: bestAt(0.65, 0.3), intervals }),
    entry("b", { auroc: 0.8 }),
  ]);
  const lines = tableText(tables, inks).split("\n");
  expect(lines[2]).toBe("a       0.700±.011  *0.650 @ 0.300*");
  expect(lines).toContain("numbers after @ are p(a,c); ± is half of a 95 % interval over images");
  expect(tableCsv(tables).split("\n").slice(0, 3)).toEqual([
    "dataset,method,auroc,aurocLow,aurocHigh,maxAmd,maxAmdPac,maxAmdLow,maxAmdHigh",
    "town,a,0.7,0.69,0.712,0.65,0.3,0.6,0.7",
    "town,b,0.8,,,,,,",
  ]);
  expect(tableLatex(tables)).toContain(
    "a & 0.700 {\\scriptsize$\\pm$0.011} & \\textbf{0.650 @ 0.300 {\\scriptsize$\\pm$0.050}}",
  );
});

test("a table with everything in it fits 100 columns, and says what it leaves out; CSV has all", () => {
  const half = { low: 0.84, high: 0.86 };
  const numbers = {
    ...{ accuracy: 0.85, auroc: 0.85, aupr: 0.85, auprOfficial500: 0.8, fpr95: 0.4, aurc: 0.1, ece: 0.1, brier: 0.2 },
    ...{ maxAmd: bestAt(0.8, 0.6), maxF05: bestAt(0.9, 0.6) },
    atGamma: { gamma: 0.5, threshold: 0.5, amd: 0.8, f05: 0.8, pac: 0.6, certain: 0.7 },
    segmentation: { accuracy: 0.8, meanIou: 0.5, perClass: [] },
    intervals: { accuracy: half, auroc: half, aupr: half, maxAmd: half, maxF05: half },
  };
  const tables = resultTables(["max-softmax", "vim", "gamma-ssl"].map((method) => entry(method, numbers)));
  const lines = tableText(tables, { ...inks, bold: plain }).split("\n");
  for (const line of lines.slice(1, 6)) expect(line.length).toBeLessThanOrEqual(100);
  expect(lines[1]).toMatch(/^method +accuracy +AUROC +AUPR +MaxA_MD +MaxF0.5 +A_MD at γ$/);
  expect(lines).toContain("also in --csv, --json and the report: mIoU, FPR@95, AURC, ECE, Brier, AUPR-500");
  expect(tableText(tables, inks, 200)).toContain("AUPR-500");
  expect(tableCsv(tables).split("\n")[0]!.split(",")).toContain("brier");
});

test("remarks of results stand below the table, with the rows they are of unless they are of all", () => {
  const [table] = resultTables([
    entry("vim", { remarks: ["images of the source"] }),
    entry("max-softmax", { remarks: ["images of the source", "ECE is at 20"] }),
  ]);
  expect(table!.notes.slice(2)).toEqual(["images of the source", "ECE is at 20 (max-softmax)"]);
});
