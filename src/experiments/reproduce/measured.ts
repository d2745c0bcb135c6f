import { join } from "node:path";
import { type FoundResult, findResults } from "../../evaluation/results/findResults.js";
import type { ResultFile } from "../../evaluation/results/resultFile.js";
import type { DomainRow } from "../../report/domainTable.js";

/** All results of a reproduction. */
export class Measured {
  readonly #results = new Map<string, FoundResult>();

  /** Those of some runs in a folder. `domains` are names by data set. */
  static async read(
    folder: string,
    runs: readonly string[],
    { domains, onNote }: { readonly domains: ReadonlyMap<string, string>; readonly onNote: (message: string) => void },
  ): Promise<Measured> {
    const measured = new Measured();
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
