import { openSketch } from "../../evaluation/results/openResults.js";
import { methods } from "../../methods/registry.js";
import { type DomainRow, domainTable } from "../../report/domainTable.js";
import { plotsOf } from "../../report/plots.js";
import { columnOf } from "../../report/tableColumns.js";
import type { Measured } from "./measured.js";
import type { SectionPlot, SectionTable } from "./writePage.js";

/** The method that adapted runs have. */
export const OURS = "gamma-ssl";

/** A row of tables and a curve of figures. */
export interface Line {
  readonly label: string;
  readonly method: string;
  /** Which run has it in a domain; null where none has. */
  readonly run: (domain: string) => string | null;
}

/** The measures of the paper's tables, by their key. */
export const measures = ["auroc", "aupr", "maxAmd", "maxF05"] as const;

export const rowsOf = (measured: Measured, domains: readonly string[], lines: readonly Line[]): DomainRow[] =>
  lines.map(({ label, method, run }) => measured.row(label, method, domains, run));

/** One measure of all lines, with a column for each domain. */
export function tableOf(
  measured: Measured,
  measure: string,
  lines: readonly Line[],
  { domains, file }: { readonly domains: readonly string[]; readonly file: string },
): SectionTable {
  const { head } = columnOf(measure);
  return { file, table: { title: head, methods: domainTable(measure, domains, rowsOf(measured, domains, lines)) } };
}

/** ROC, precision and recall, A_MD and F0.5 in each of some domains, of the methods that the paper has. */
export async function curves(
  measured: Measured,
  lines: readonly Line[],
  { domains, file }: { readonly domains: readonly string[]; readonly file: string },
): Promise<SectionPlot[]> {
  const plots: SectionPlot[] = [];
  // Ours first, the last of them before the others: the first curves are the easiest to tell apart.
  const ordered = [
    ...lines.filter(({ method }) => method === OURS).reverse(),
    ...lines.filter(({ method }) => method !== OURS),
  ];
  for (const domain of domains) {
    const drawn = [];
    for (const { label, method, run } of ordered) {
      const name = run(domain);
      const found = name === null || isFurther(method) ? null : measured.find(name, domain, method);
      if (found !== null) drawn.push({ label, result: found.result, set: await openSketch(found) });
    }
    for (const plot of plotsOf(drawn)) {
      plots.push({ file: `${file}-${domain}-${plot.name}`, plot: { ...plot, title: `${plot.title}: ${domain}` } });
    }
  }
  return plots;
}

/** Whether the paper does not have it. */
const isFurther = (method: string): boolean =>
  methods.some(({ name, family }) => name === method && family === "further");
