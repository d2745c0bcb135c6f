import { inkedCell } from "../../report/tableText.js";
import type { TextTable } from "../../report/textTable.js";
import { groupedBy } from "../studies/studiedResults.js";
import { signed } from "../studies/study.js";
import type { PaperDomain, PaperMeasure } from "./paperNumbers.js";
import type { PaperModel, PaperRow } from "./paperRow.js";
import { cellOf, headOf } from "./printedTables.js";

/** What stands in one table: numbers alone, then those with a p(a,c). All of them beside each other would be too wide. */
const together: readonly (readonly PaperMeasure[])[] = [
  ["accuracy", "auroc", "aupr"],
  ["maxAmd", "maxF05"],
];

const titles: Readonly<Record<PaperDomain, string>> = {
  LDN: "SAX London",
  NF: "SAX New Forest",
  SCOT: "SAX Scotland",
  KITTI: "KITTI",
  BDD: "BDD",
  WildDash: "WildDash",
};

/** Our numbers beside the paper's, for each source and data set; `notes` are below the last table. */
export function comparedTables(models: readonly PaperModel[], notes: readonly string[]): TextTable[] {
  const groups = groupedBy(models, ([{ source, dataset }]) => JSON.stringify([source, dataset]));
  const tables = [...groups.values()].flatMap((group) =>
    together.flatMap((measures) => {
      const shown = measures.filter((measure) => group.flat().some((row) => row.measure === measure));
      return shown.length === 0 ? [] : [tableOf(group, shown)];
    }),
  );
  return tables.map((table, i) => (i === tables.length - 1 ? { ...table, notes } : table));
}

/** A table of some measures; models that the paper gives none of are left out. */
function tableOf(models: readonly PaperModel[], measures: readonly PaperMeasure[]): TextTable {
  const [{ source, domain, dataset }] = models[0]!;
  const rows = models
    .filter((own) => own.some(({ measure }) => measures.includes(measure)))
    .map((own) => ({
      cells: [
        labelOf(own, models),
        ...measures.flatMap((measure) => cellsOf(own.find((row) => row.measure === measure))),
      ],
    }));
  return {
    title: `${measures.map(headOf).join(", ")}, source ${source}, ${titles[domain]}: ${dataset}`,
    head: ["method", ...measures.flatMap((measure) => [headOf(measure), "paper", "diff"])],
    rows,
    notes: [],
  };
}

/** The paper's name; with the run where several models have it. */
function labelOf([{ method, run }]: PaperModel, models: readonly PaperModel[]): string {
  return models.filter(([other]) => other.method === method).length === 1 ? method : `${method} (${run})`;
}

function cellsOf(row: PaperRow | undefined): TextTable["rows"][number]["cells"] {
  if (row === undefined) return ["-", "-", "-"];
  const { measure, ours, oursPac, paper, paperPac, difference } = row;
  return [
    inkedCell(cellOf(measure, ours, oursPac)),
    inkedCell(cellOf(measure, paper, paperPac)),
    difference === null ? "-" : signed(difference, 3),
  ];
}
