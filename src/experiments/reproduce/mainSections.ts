import { methodNamed, methods } from "../../methods/registry.js";
import { measureTable } from "../../report/domainTable.js";
import { columnOf } from "../../report/tableColumns.js";
import { compareRows, tablePlaces } from "../../report/tablePlaces.js";
import { curves, type Line, measures, OURS, type ReproducedResults, rowsOf, tableOf } from "./lines.js";
import type { ReproductionPlan } from "./plan.js";
import { runNames } from "./plannedRuns.js";
import type { Section } from "./writePage.js";

const CURRICULUM = "γ-SSL_iL";

/** Fig. 5, Tables 2 to 5, and the accuracies that section VIII names. Baselines are the source's, γ-SSL is that of each domain. */
export async function mainSections(plan: ReproductionPlan, measured: ReproducedResults): Promise<Section[]> {
  const domains = [...plan.domains, ...plan.further].map(({ name }) => name);
  const later = plan.domains.slice(1).map(({ name }) => name);
  const adapted: Line = { label: titleOf(OURS), method: OURS, run: runNames.adapted };
  const curriculum: Line = {
    label: CURRICULUM,
    method: OURS,
    run: (domain) => (later.includes(domain) ? runNames.curriculum(domain) : null),
  };
  const lines = [...baselines(measured), adapted, ...(later.length > 0 ? [curriculum] : [])];
  const measureSection = (paper: string, measure: string): Section => ({
    paper,
    title: capital(columnOf(measure).head),
    remark: `${capital(columnOf(measure).meaning)}.`,
    tables: [tableOf(measured, measure, lines, { domains, file: `${slug(paper)}-${measure}` })],
  });
  return [
    {
      paper: "Figure 5",
      title: "Methods at every threshold",
      remark: "A row for each domain.",
      plots: await curves(measured, lines, { domains, file: "figure-5" }),
    },
    ...measures.map((measure, i) => measureSection(`Table ${2 + i}`, measure)),
    measureSection("Section VIII", "accuracy"),
  ];
}

/** Fig. 7: images of places that nothing was adapted to. */
export async function unseenSection(plan: ReproductionPlan, measured: ReproducedResults): Promise<Section> {
  const domains = plan.unseen.map(({ name }) => name);
  const own = (label: string, run: string): Line => ({ label, method: OURS, run: () => run });
  const lines = [
    ...baselines(measured),
    ...[...plan.domains, ...plan.further].map(({ name }) => own(`${titleOf(OURS)} ${name}`, runNames.adapted(name))),
    ...plan.domains.slice(1).map(({ name }) => own(`${CURRICULUM} ${name}`, runNames.curriculum(name))),
  ];
  return {
    paper: "Figure 7",
    title: "Places that nothing was adapted to",
    remark: "γ-SSL is named by the domain that it was adapted to.",
    tables: domains.map((domain) => ({
      file: `figure-7-${domain}`,
      table: { title: domain, methods: measureTable(["accuracy", ...measures], rowsOf(measured, [domain], lines)) },
    })),
    plots: await curves(measured, lines, { domains, file: "figure-7" }),
  };
}

/** Everything that was measured of the source's network, in the order of the paper's tables. */
function baselines(measured: ReproducedResults): Line[] {
  const places = tablePlaces();
  return measured
    .methodsOf(runNames.source)
    .sort((a, b) => compareRows(places(a), places(b)))
    .map((method) => ({ label: titleOf(method), method, run: () => runNames.source }));
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const slug = (paper: string): string => paper.toLowerCase().replace(" ", "-");

const titleOf = (method: string): string => methodNamed(method, methods).title;
