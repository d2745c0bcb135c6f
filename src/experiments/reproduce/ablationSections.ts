import { type AblationName, ablations } from "../../methods/gamma-ssl/ablations.js";
import { measureTable } from "../../report/domainTable.js";
import { curves, type Line, measures, OURS, type ReproducedResults, rowsOf, tableOf } from "./lines.js";
import type { ReproductionPlan } from "./plan.js";
import { furtherAblations, prototypeAblations, runNames, tableAblations } from "./plannedRuns.js";
import type { Section } from "./writePage.js";

const variant = (ablation: AblationName): Line => ({
  label: ablations[ablation].paper ?? ablation,
  method: OURS,
  run: (domain) => runNames.ablated(ablation, domain),
});

const ours: Line = { label: "γ-SSL", method: OURS, run: runNames.adapted };

/** Table 13, Fig. 9 and section X. */
export async function ablationSections(plan: ReproductionPlan, measured: ReproducedResults): Promise<Section[]> {
  const domains = plan.domains.map(({ name }) => name);
  const lines: Line[] = [
    { label: ablations["no-ssl"].paper!, method: "no-ssl", run: () => runNames.source },
    { label: ablations["no-sax"].paper!, method: OURS, run: () => runNames.noSax },
    ...tableAblations.map(variant),
    ours,
  ];
  return [
    {
      paper: "Table 13",
      title: "Ablations",
      remark: "One part of γ-SSL taken away or replaced, each from the same pre-training.",
      tables: measures.map((measure) => tableOf(measured, measure, lines, { domains, file: `table-13-${measure}` })),
    },
    {
      paper: "Figure 9",
      title: "Ablations at every threshold",
      remark: "A row for each domain, from the least shift to the most.",
      plots: await curves(measured, lines, { domains, file: "figure-9" }),
    },
    {
      paper: "Section X",
      title: "A soft M_γ, and one γ for each class",
      ...inFirstDomain(plan, measured, [...furtherAblations.map(variant), ours], "section-x"),
    },
  ];
}

/** Table 14. */
export const prototypeSection = (plan: ReproductionPlan, measured: ReproducedResults): Section => ({
  paper: "Table 14",
  title: "Images that prototypes are made of",
  ...inFirstDomain(plan, measured, prototypeAblations.map(variant), "table-14"),
});

/** Lines by MaxF0.5 and accuracy. */
function inFirstDomain(
  { domains }: ReproductionPlan,
  measured: ReproducedResults,
  lines: readonly Line[],
  file: string,
): Pick<Section, "remark" | "tables"> {
  const { name } = domains[0]!;
  const table = measureTable(["maxF05", "accuracy"], rowsOf(measured, [name], lines));
  return { remark: `In the first domain, ${name}.`, tables: [{ file, table: { title: name, methods: table } }] };
}
