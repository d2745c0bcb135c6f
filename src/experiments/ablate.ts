import { join } from "node:path";
import { askedMethods } from "../evaluation/askedMethods.js";
import { checkRoles } from "../evaluation/checkRoles.js";
import { type EvaluateOptions, evaluate, type RunResult } from "../evaluation/evaluate.js";
import type { ResultFile } from "../evaluation/results/resultFile.js";
import type { AblationName } from "../methods/gamma-ssl/ablations.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { eachOnce } from "../platform/watching.js";
import { train } from "../training/train.js";
import { ablationPlan, ablationRows, ablationTable, SOURCE, type Trial, withoutEffect } from "./ablationPlan.js";

/** What an ablation study compares, and where. */
export interface AblateOptions
  extends Pick<
    EvaluateOptions,
    "on" | "methods" | "sourceVal" | "threads" | "cache" | "command" | "onProgress" | "onNote" | "onTraining" | "signal"
  > {
  /** Ablations to compare with γ-SSL. */
  readonly ablations: readonly AblationName[];
  /** Trainings of each, with consecutive seeds. */
  readonly seeds: number;
  /** The folder of the study. */
  readonly to: string;
}

/** Results of a study. */
export interface AblationStudy {
  readonly results: readonly { readonly name: string; readonly result: ResultFile }[];
  /** One table for each data set, mean ± standard deviation over seeds; also in `ablation.md`. */
  readonly markdown: string;
}

const OURS = "gamma-ssl";
/** The head of the adapted network, by its softmax. */
const HEAD = "max-softmax@adapted";

const rowName = (method: string, ablation: AblationName | null): string =>
  method === OURS ? (ablation ?? OURS) : method === HEAD ? `head after adaptation (${HEAD})` : method;

const PACE = { workers: 1, checkpointEvery: 500, validateEvery: 1_000_000 } as const;

/**
 * Train and measure γ-SSL and ablations of it from one shared pre-training, once for each seed. A second call reuses finished work.
 * `settings` are those of a config file.
 */
export async function ablate(settings: object, options: AblateOptions): Promise<AblationStudy> {
  const { to, on, ablations, seeds, methods, sourceVal, onTraining, ...shared } = options;
  const { threads, cache, command, signal } = shared;
  const { source, trials } = ablationPlan({ settings, ablations, seeds, to });
  const trained = async (folder: string, config: object): Promise<void> => {
    const where = { to: join(to, folder), ...PACE, threads, cache, command, signal };
    await train(config, { ...where, onEvent: (event) => onTraining?.(folder, event) });
  };
  const [{ config, folder: adapted }] = trials as [Trial, ...Trial[]];
  const asked = askedMethods([config], methods);
  await checkRoles({ config, on, sourceVal }, shared);
  if (source !== null) await trained(SOURCE, source);
  for (const { folder, config } of trials) await trained(folder, config);

  const measuring = { ...shared, on, sourceVal, onTraining, onNote: eachOnce(shared.onNote), examples: 0 };
  const measured = (folder: string, names: readonly string[]): Promise<RunResult[]> =>
    names.length === 0 ? Promise.resolve([]) : evaluate([join(to, folder)], { ...measuring, methods: names.join(",") });
  // Baselines look through the network that all trials began with: the first trial has it, too.
  const before = asked.filter(({ network }) => network !== "adapted").map(({ name }) => name);
  const results = (await measured(source === null ? adapted : SOURCE, before)).map(({ result }) => ({
    name: result.method,
    result,
  }));
  // What an adapted network knows without prototypes is measured where nothing was ablated, as often as γ-SSL.
  const after = asked.filter(({ network, kind }) => network === "adapted" && kind !== "prototypes");
  const beside = new Set([HEAD, ...after.map(({ name }) => name)]);
  for (const { folder, ablation } of trials) {
    const own = await measured(folder, [OURS, ...(ablation === null ? beside : [])]);
    results.push(...own.map(({ result }) => ({ name: rowName(result.method, ablation), result })));
  }
  const idle = await withoutEffect(to, trials);
  const datasets = [...new Set(results.map(({ result }) => result.dataset))];
  const tables = datasets.flatMap((dataset) => {
    const rows = ablationRows(results.filter(({ result }) => result.dataset === dataset));
    return [`**${dataset}**`, "", ...ablationTable(rows, idle), ""];
  });
  const markdown = `${tables.join("\n")}\n`;
  await writeAtomically(join(to, "ablation.md"), markdown);
  await writeAtomically(join(to, "ablation.json"), `${JSON.stringify(results, null, 1)}\n`);
  return { results, markdown };
}
