import { join } from "node:path";
import { paperOf } from "../paper/paperOf.js";
import { studyPaper } from "../paper/studyPaper.js";
import type { Measured } from "./measured.js";
import type { PlannedRun } from "./plannedRuns.js";
import type { Section } from "./section.js";

/** The paper's own numbers beside ours; nothing where the images are others. */
export async function paperSection(
  runs: readonly PlannedRun[],
  measured: Measured,
  { folder, to }: { readonly folder: string; readonly to: string },
): Promise<Section[]> {
  const compared = runs.filter(({ name, config }) =>
    measured.all().some(({ run, result }) => run === name && paperOf(result, config).length > 0),
  );
  if (compared.length === 0) return [];
  const { tables } = await studyPaper(
    compared.map(({ name }) => join(folder, name)),
    { to },
  );
  return [
    {
      paper: "All tables",
      title: "Ours and the paper's",
      remark: "Of every result that the paper has as well.",
      tables: tables.map((table) => ({ file: null, table })),
    },
  ];
}
