import { join } from "node:path";
import { htmlPage } from "../../html/htmlPage.js";
import { nice } from "../../html/subscripts.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { escapeText } from "../../platform/escape.js";
import { makeFolder } from "../../platform/files.js";
import type { Plot } from "../../report/plot.js";
import type { MethodTable } from "../../report/resultTable.js";
import { methodCsv, methodLatex, methodText } from "../../report/tableText.js";
import { type TextTable, textTables } from "../../report/textTable.js";
import { textTableHtml } from "../../report/textTableHtml.js";
import { writePlot } from "../../report/writePlot.js";

/** What becomes of a table or a figure of the paper. */
export interface Section {
  /** In the paper, e.g. "Table 2". */
  readonly paper: string;
  readonly title: string;
  /** How to read it. */
  readonly remark: string;
  readonly tables?: readonly SectionTable[];
  readonly plots?: readonly SectionPlot[];
  /** Images that are there, by the path from the page. */
  readonly images?: readonly { readonly path: string; readonly about: string }[];
}

export interface SectionTable {
  /** Of its files, without an ending; null where something else writes them. */
  readonly file: string | null;
  /** With methods in rows, or any other. */
  readonly table: { readonly title: string; readonly methods: MethodTable } | TextTable;
}

export interface SectionPlot {
  readonly file: string;
  readonly plot: Plot;
}

/** Folders of tables and figures, from the page. */
export const pageFolders = { tables: "tables", figures: "figures" } as const;

/** Write tables and figures into folders of their own, and a page with all of them; returns the path of the page. */
export async function writePage(
  folder: string,
  sections: readonly Section[],
  { title, facts }: { readonly title: string; readonly facts: readonly string[] },
): Promise<string> {
  for (const name of Object.values(pageFolders)) await makeFolder(join(folder, name));
  for (const { tables = [], plots = [] } of sections) {
    for (const table of tables) await writeTable(join(folder, pageFolders.tables), table);
    for (const { file, plot } of plots) await writePlot(join(folder, pageFolders.figures, file), plot);
  }
  const body = `<header><p class="kicker">gamma-ssl</p><h1>${escapeText(title)}</h1>
<ul class="facts">${facts.map((fact) => `<li>${escapeText(fact)}</li>`).join("")}</ul>
<nav aria-label="Tables and figures"><p>${sections.map(({ paper }) => `<a href="#${anchor(paper)}">${escapeText(paper)}</a>`).join(" · ")}</p></nav></header>
<main>${sections.map(sectionHtml).join("\n")}</main>
<footer><p>Tables as text, CSV and LaTeX lie in <code>${pageFolders.tables}</code>, figures as SVG, PNG, CSV and LaTeX in <code>${pageFolders.figures}</code> beside this file.</p></footer>`;
  const path = join(folder, "reproduction.html");
  await writeAtomically(path, htmlPage({ title, style: "report", images: "beside", body }));
  return path;
}

async function writeTable(folder: string, { file, table }: SectionTable): Promise<void> {
  if (file === null) return;
  const stem = join(folder, file);
  await writeAtomically(`${stem}.txt`, textTables([textOf(table)]));
  if (!("methods" in table)) return;
  await writeAtomically(`${stem}.csv`, methodCsv(["table", table.title], table.methods));
  await writeAtomically(`${stem}.tex`, methodLatex(table.title, table.methods));
}

const textOf = (table: SectionTable["table"]): TextTable =>
  "methods" in table ? methodText(table.title, table.methods) : table;

function sectionHtml({ paper, title, remark, tables = [], plots = [], images = [] }: Section): string {
  const drawn = [
    ...plots.map(({ file, plot }) => ({ path: `${pageFolders.figures}/${file}.svg`, about: plot.title })),
    ...images,
  ];
  const figures = drawn.map(
    ({ path, about }) =>
      `<figure class="card"><img src="${escapeText(path)}" alt="${escapeText(about)}" loading="lazy"></figure>`,
  );
  return `<section id="${anchor(paper)}" aria-labelledby="${anchor(paper)}-title"><h2 id="${anchor(paper)}-title">${escapeText(paper)}. ${nice(title)}</h2>
<p class="soft">${nice(remark)}</p>
${tables.map(({ table }) => textTableHtml(textOf(table), tables.length > 1)).join("\n")}
${figures.length === 0 ? "" : `<div class="plots figures">${figures.join("")}</div>`}</section>`;
}

const anchor = (paper: string): string => paper.toLowerCase().replaceAll(" ", "-");
