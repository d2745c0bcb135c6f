import type { ResultFile } from "../evaluation/results/resultFile.js";
import { nice } from "../html/subscripts.js";
import { escapeText } from "../platform/escape.js";
import type { MethodTable } from "./resultTable.js";
import type { Cell } from "./tableCells.js";

/** The main table: best in bold, discounted struck through, intervals beneath, reasons where there is no number. */
export function tableHtml(title: string, { columns, rows, notes }: MethodTable, remark: string): string {
  const heads = columns
    .map(({ head, meaning, better }) => {
      const arrow = better === "higher" ? "↑" : "↓";
      return `<th scope="col" title="${escapeText(`${meaning}; ${better} is better`)}">${nice(head)} <span aria-hidden="true">${arrow}</span></th>`;
    })
    .join("");
  const lines = rows
    .map(({ label, kind, cells }) => {
      const row = cells.map((cell) => `<td>${cellHtml(cell)}</td>`).join("");
      return `<tr${kind === "mean" ? ' class="mean"' : ""}><th scope="row">${escapeText(label)}</th>${row}</tr>`;
    })
    .join("");
  const table = `<table><thead><tr><th scope="col">method</th>${heads}</tr></thead><tbody>${lines}</tbody></table>`;
  return `${scrolling(title, table)}<p class="soft small">${escapeText(remark)}${notes.map((note) => `<br>– ${escapeText(note)}`).join("")}${reasonsOf({ columns, rows })}</p>`;
}

/** Why numbers are missing: each reason once, with the columns and methods it is about. */
function reasonsOf({ columns, rows }: Pick<MethodTable, "columns" | "rows">): string {
  const found = new Map<string, Set<string>>();
  for (const { label, cells } of rows) {
    for (const [k, { reason }] of cells.entries()) {
      if (reason === null) continue;
      const key = `${columns[k]!.head}: ${reason}`;
      found.set(key, (found.get(key) ?? new Set()).add(label));
    }
  }
  return [...found].map(([key, labels]) => `<br>– ${escapeText(`${key} (${[...labels].join(", ")})`)}`).join("");
}

function cellHtml({ value, pac, best, struck, reason, interval }: Cell): string {
  if (value === null) {
    return reason === null ? "–" : `<span title="${escapeText(reason)}">–</span>`;
  }
  const number = `${value.toFixed(3)}${pac === null ? "" : ` <span class="at">@ ${pac.toFixed(3)}</span>`}`;
  const marked = struck
    ? `<s title="p(a,c) is 0.000: nothing is kept">${number}</s>`
    : best
      ? `<strong>${number}</strong>`
      : number;
  const range = interval === null ? "" : `<small>${interval.low.toFixed(3)} – ${interval.high.toFixed(3)}</small>`;
  return marked + range;
}

/** IoU of each class, a column a method. Classes that never occur are left out. */
export function classTable(dataset: string, methods: readonly { label: string; result: ResultFile }[]): string {
  const names = methods.find(({ result }) => result.segmentation !== null)?.result.segmentation?.perClass ?? [];
  const rows = names.flatMap(({ name }, k) => {
    const found = methods.map(({ result }) => result.segmentation?.perClass[k]);
    if (found.every((row) => row === undefined || row.iou === null)) return [];
    const pixels = found.find((row) => row !== undefined)?.pixels ?? 0;
    const cells = found.map((row) => `<td>${row?.iou?.toFixed(3) ?? "–"}</td>`).join("");
    return [`<tr><th scope="row">${escapeText(name)}</th><td>${pixels.toLocaleString("en")}</td>${cells}</tr>`];
  });
  if (rows.length === 0) return "";
  const heads = methods.map(({ label }) => `<th scope="col">${escapeText(label)}</th>`).join("");
  return `<details><summary>IoU of each class</summary>${scrolling(
    `IoU of each class on ${dataset}`,
    `<table><thead><tr><th scope="col">class</th><th scope="col">labelled pixels</th>${heads}</tr></thead><tbody>${rows.join("")}</tbody></table>`,
  )}</details>`;
}

/** Wide tables scroll by themselves, also with the keyboard. */
const scrolling = (label: string, table: string): string =>
  `<div class="scroll card" role="region" tabindex="0" aria-label="${escapeText(label)}">${table}</div>`;
