import { join } from "node:path";
import { type FoundResult, findResults } from "../../evaluation/results/findResults.js";
import { openSketch } from "../../evaluation/results/openResults.js";
import type { ResultFile } from "../../evaluation/results/resultFile.js";
import { methods } from "../../methods/registry.js";
import { type DomainRow, domainTable } from "../../report/domainTable.js";
import { plotsOf } from "../../report/plots.js";
import { columnOf } from "../../report/tableColumns.js";
import type { SectionPlot, SectionTable } from "./writePage.js";

/** All results of a reproduction. */
export class ReproducedResults {
  readonly #results = new Map<string, FoundResult>();

  /** Those of some runs in a folder. `domains` are names by data set. */
  static async read(
    folder: string,
    runs: readonly string[],
    { domains, onNote }: { readonly domains: ReadonlyMap<string, string>; readonly onNote: (message: string) => void },
  ): Promise<ReproducedResults> {
    const measured = new ReproducedResults();
    for (const run of runs) {
      for (const found of await findResults(join(folder, run), onNote)) {
        const domain = domains.get(found.result.dataset);
        // Results on other images may lie there, of commands that somebody else ran.
        if (domain !== undefined) measured.#results.set(key(run, domain, found.result.method), found);
      }
    }
    return measured;
  }

  find(run: string, domain: string, method: string): FoundResult | null {
    return this.#results.get(key(run, domain, method)) ?? null;
  }

  /** All of them, with their runs. */
  all(): readonly { readonly run: string; readonly result: ResultFile }[] {
    return [...this.#results.values()];
  }

  /** Methods that a run was measured with, in no order. */
  methodsOf(run: string): string[] {
    const own = [...this.#results].filter(([at]) => at.startsWith(`${run}/`)).map(([, { result }]) => result.method);
    return [...new Set(own)];
  }

  /** A method over some domains; `run` says which run has it there, null where none has. */
  row(label: string, method: string, domains: readonly string[], run: (domain: string) => string | null): DomainRow {
    const result = (domain: string): ResultFile | null => {
      const name = run(domain);
      return name === null ? null : (this.find(name, domain, method)?.result ?? null);
    };
    return { label, method, results: domains.map(result) };
  }
}

const key = (run: string, domain: string, method: string): string => `${run}/${domain}/${method}`;

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

export const rowsOf = (measured: ReproducedResults, domains: readonly string[], lines: readonly Line[]): DomainRow[] =>
  lines.map(({ label, method, run }) => measured.row(label, method, domains, run));

/** One measure of all lines, with a column for each domain. */
export function tableOf(
  measured: ReproducedResults,
  measure: string,
  lines: readonly Line[],
  { domains, file }: { readonly domains: readonly string[]; readonly file: string },
): SectionTable {
  const { head } = columnOf(measure);
  return { file, table: { title: head, methods: domainTable(measure, domains, rowsOf(measured, domains, lines)) } };
}

/** ROC, precision and recall, A_MD and F0.5 in each of some domains, of the methods that the paper has. */
export async function curves(
  measured: ReproducedResults,
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
