import { isDiscounted } from "../../metrics/paperTables.js";
import { type Cell, withMeans } from "../../report/tableCells.js";
import { columns } from "../../report/tableColumns.js";
import { tablePlaces } from "../../report/tablePlaces.js";
import { inkedCell } from "../../report/tableText.js";
import type { TextTable } from "../../report/textTable.js";
import { groupedBy } from "../studies/studiedResults.js";
import { misprintedMean, type PaperMeasure, type PaperNumber, paperDomains } from "./paperNumbers.js";

/** The paper's numbers in its own tables, with the means of its two families below their rows. */
export function printedTables(numbers: readonly PaperNumber[]): TextTable[] {
  return [...groupedBy(numbers, titleOf)].map(([title, own]) => printedTable(title, own));
}

function titleOf({ place, measure, source, pac }: PaperNumber): string {
  return `${place}: ${headOf(measure)}${pac === null ? "" : " @ p(a,c)"}, source ${source}`;
}

function printedTable(title: string, numbers: readonly PaperNumber[]): TextTable {
  const [{ place, measure }] = numbers as [PaperNumber];
  const domains = paperDomains.filter((domain) => numbers.some((one) => one.domain === domain));
  const methods = [...new Set(numbers.map(({ method }) => method))];
  const cells = domains.map((domain) =>
    methods.map((method) => {
      const found = numbers.find((one) => one.domain === domain && one.method === method);
      return cellOf(measure, found?.value ?? null, found?.pac ?? null);
    }),
  );
  const named = methods.map((method) => ({ label: method, method }));
  const rows = withMeans(named, cells, tablePlaces()).map(({ label, kind, cells }) => ({
    cells: [label, ...cells.map(inkedCell)],
    faint: kind === "mean",
  }));
  const { family, domain, printed, recomputed } = misprintedMean;
  const misprinted = place === misprintedMean.place && rows.some((row) => row.cells[0] === `mean ${family}`);
  const note = `the paper prints ${printed} as the ${family} mean on ${domain}; its rows give ${recomputed.toFixed(3)}`;
  return { title, head: ["method", ...domains], rows, notes: misprinted ? [note] : [] };
}

/** What tables call a measure. */
export const headOf = (measure: PaperMeasure): string => columns.find(({ key }) => key === measure)!.head;

/** A number as a cell of a table, struck through where tables of results do (E-7). */
export const cellOf = (measure: PaperMeasure, value: number | null, pac: number | null): Cell => ({
  value,
  pac,
  best: false,
  struck: measure === "maxAmd" && value !== null && pac !== null && isDiscounted({ value, pac }),
  reason: null,
  interval: null,
});
