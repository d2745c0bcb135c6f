import { printable } from "../../platform/printable.js";
import type { DatasetCheck, Share } from "../datasets/checkDataset.js";
import type { Problem } from "../datasets/problem.js";
import type { CheckedDataset } from "./openChecked.js";

/** Problems spelled out before the rest is only counted. */
const WORST = 20;

/** What was found in a data set, to read in a terminal, a line each. */
export const describeDataset = ({ dataset, check }: CheckedDataset): string[] =>
  describeCheck(check, dataset.labelling?.classes.name);

/** A check to read in a terminal, a line each. */
function describeCheck(check: DatasetCheck, labels: string | undefined): string[] {
  const { spec, images, sizes, classes, unknown, void: ignored, problems } = check;
  const lines = [
    printable(spec),
    `  ${count(images, "image")}, ${labels === undefined ? "unlabelled" : `labelled with ${printable(labels)}`}`,
  ];
  const spelled = sizes.slice(0, 5).map((size) => `${size.width} x ${size.height} (${size.images})`);
  if (spelled.length > 0)
    lines.push(`  sizes: ${spelled.join(", ")}${sizes.length > 5 ? ` and ${sizes.length - 5} more` : ""}`);
  if (classes.length > 0) lines.push("", ...shareTable([...classes, unknown, ignored]), "");
  return [...lines, ...describeProblems(problems)];
}

function shareTable(shares: readonly Share[]): string[] {
  const width = Math.max(5, ...shares.map(({ name }) => printable(name).length));
  const rows = shares.map(({ name, share, images }) => {
    const bar = "▇".repeat(Math.round(share * 40));
    return `  ${printable(name).padEnd(width)}  ${percent(share).padStart(8)}  ${String(images).padStart(8)}  ${bar}`.trimEnd();
  });
  return [`  ${"class".padEnd(width)}  ${"share".padStart(8)}  ${"images".padStart(8)}`, ...rows];
}

/** "12.3 %"; small shares keep a digit that says they are there. */
export function percent(share: number): string {
  if (share === 0) return "0 %";
  return share < 0.0001 ? "< 0.01 %" : `${(100 * share).toFixed(2)} %`;
}

/** Errors first; the worst with their hints, then how many more of each kind. */
export function describeProblems(problems: readonly Problem[]): string[] {
  if (problems.length === 0) return ["  no problems"];
  const lines = [`  ${problemCount(problems)}`];
  for (const { severity, code, message, hint } of problems.slice(0, WORST)) {
    lines.push(`  ${severity === "error" ? "error  " : "warning"}  ${code}  ${message}`);
    if (hint !== undefined) lines.push(`           hint: ${printable(hint)}`);
  }
  const rest = new Map<string, number>();
  for (const { code } of problems.slice(WORST)) rest.set(code, (rest.get(code) ?? 0) + 1);
  for (const [code, more] of rest) lines.push(`  … and ${more} more ${code}`);
  return lines;
}

/** "2 errors, 1 warning" */
export function problemCount(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return `${count(errors, "error")}, ${count(problems.length - errors, "warning")}`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
