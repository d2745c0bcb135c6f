import type { Plot } from "../../report/plot.js";
import type { MethodTable } from "../../report/resultTable.js";
import type { TextTable } from "../../report/textTable.js";

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
