import { join } from "node:path";
import { type EvaluateOptions, evaluate } from "../evaluation/evaluate.js";
import type { ResultFile } from "../evaluation/results/resultFile.js";
import type { AblationName } from "../methods/gamma-ssl/ablations.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { eachOnce } from "../platform/watching.js";
import { train } from "../training/train.js";
import { ablationPlan, ablationRows, ablationTable, SOURCE, withoutEffect } from "./ablate.js";

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
  if (source !== null) await trained(SOURCE, source);
  for (const { folder, config } of trials) await trained(folder, config);

  const measuring = { ...shared, on, onTraining, onNote: eachOnce(shared.onNote), examples: 0 };
  // Baselines look through the network that all trials began with: the first trial has it, too.
  const first = join(to, source === null ? trials[0]!.folder : SOURCE);
  const results = (await evaluate([first], { ...measuring, methods, sourceVal })).map(({ result }) => ({
    name: result.method,
    result,
  }));
  for (const { folder, ablation } of trials) {
    const own = await evaluate([join(to, folder)], { ...measuring, methods: "gamma-ssl" });
    results.push(...own.map(({ result }) => ({ name: ablation ?? "gamma-ssl", result })));
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
