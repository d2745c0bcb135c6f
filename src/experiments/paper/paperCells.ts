import { isDiscounted } from "../../metrics/paperTables.js";
import type { Cell } from "../../report/tableCells.js";
import { columns } from "../../report/tableColumns.js";
import type { PaperMeasure } from "./paperNumbers.js";

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
