import pc from "picocolors";
import { print, printJson, printNote } from "../../platform/print.js";
import { type Library, names, required, text, texts, toggle } from "./flags.js";
import { json, requireOneFormat } from "./shared.js";

/** Words and flags of every study. */
export const studyWords = { runs: required(texts("<runs...>", "run folders with results of gssl evaluate")) };
export const studyFlags = {
  methods: names("<names>", "methods joined by commas; all that have results when left out"),
  to: text("<folder>", "where to write files; studies in the first run folder when left out"),
  json,
  csv: toggle("print it as comma-separated values"),
};

interface Printed {
  readonly rows: readonly unknown[];
  readonly csv: string;
  readonly tables: Parameters<Library["studyText"]>[0];
  readonly files: readonly string[];
}

const inks = { bold: pc.bold, strike: pc.strikethrough, faint: pc.dim };

/** Below a table of results: the paper's numbers, where it has some of them. */
export async function printBesidePaper(runs: readonly string[], library: Library): Promise<void> {
  const tables = await library.tablesBesidePaper(runs);
  if (tables.length > 0) print(library.studyText(tables, inks));
}

/** Do a study and print it. */
export async function showStudy(
  study: (onNote: (note: string) => void) => Promise<Printed>,
  formats: { readonly json: boolean; readonly csv: boolean },
  library: Library,
): Promise<void> {
  requireOneFormat(formats);
  const { rows, csv, tables, files } = await study((note) => printNote(`note: ${note}`));
  if (formats.json) printJson(rows, 1);
  else if (formats.csv) print(csv);
  else {
    print(library.studyText(tables, inks));
    for (const file of files) print(file);
  }
}
