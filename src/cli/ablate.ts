import { join } from "node:path";
import { ablationPlan, ablationRows, ablationTable, SOURCE, type Trial, withoutEffect } from "../experiments/ablate.js";
import { type AblationName, ablations } from "../methods/gamma-ssl/ablations.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { print } from "../platform/print.js";
import { readSettings } from "../runs/config.js";
import { measureRuns, type RunResult } from "./evaluate.js";
import { oneOf } from "./oneOf.js";
import { trainAs } from "./train.js";
import { wholeNumber } from "./wholeNumber.js";

interface AblateOptions {
  readonly on: readonly string[];
  readonly ablations: string;
  readonly seeds: string;
  readonly methods: string;
  readonly sourceVal?: string;
  readonly weights?: string;
  readonly to: string;
  readonly threads?: string;
  readonly cache?: string;
}

/** Every network of a study is trained and measured in turn; then one table for each data set, in the terminal and as files. */
export async function ablate(file: string, options: AblateOptions): Promise<void> {
  const { to } = options;
  const known = Object.keys(ablations) as AblationName[];
  const chosen = options.ablations.split(",").filter((name) => name !== "");
  const settings = await readSettings(file);
  const { source, trials } = ablationPlan({
    settings: { ...settings, ...(options.weights !== undefined && { weights: options.weights }) },
    ablations: chosen.map((name) => oneOf("ablations", known, name)),
    seeds: wholeNumber("seeds", options.seeds, [1, 100]),
    to,
  });
  const shared = {
    ...(options.threads !== undefined && { threads: options.threads }),
    ...(options.cache !== undefined && { cache: options.cache }),
  };
  const pace = { workers: "1", checkpointEvery: "500", validateEvery: "1000000", ...shared };
  if (source !== null && (await trainAs(source, { to: join(to, SOURCE), ...pace })) === "stopped") return;
  for (const { folder, config } of trials) {
    print(`\n${folder}`);
    if ((await trainAs(config, { to: join(to, folder), ...pace })) === "stopped") return;
  }

  const measuring = { on: options.on, policy: "paper", examples: "0", ...shared };
  const sourceVal = options.sourceVal !== undefined && { sourceVal: options.sourceVal };
  // Baselines look through the network that all trials began with: the first trial has it, too.
  const first = source === null ? join(to, trials[0]!.folder) : join(to, SOURCE);
  const baselines = await measureRuns([first], { ...measuring, methods: options.methods, ...sourceVal });
  const results = baselines.map(({ result }) => ({ name: result.method, result }));
  for (const trial of trials) {
    const own = await measureRuns([join(to, trial.folder)], { ...measuring, methods: "gamma-ssl" });
    results.push(...own.map((one) => named(trial, one)));
  }
  const idle = await withoutEffect(to, trials);
  const tables = options.on.flatMap((_, i) => {
    const datasets = [...new Set(results.map(({ result }) => result.dataset))];
    const rows = ablationRows(results.filter(({ result }) => result.dataset === datasets[i]));
    return [`**${datasets[i]}**`, "", ...ablationTable(rows, idle), ""];
  });
  print(`\n${tables.join("\n")}`);
  await writeAtomically(join(to, "ablation.md"), `${tables.join("\n")}\n`);
  await writeAtomically(join(to, "ablation.json"), `${JSON.stringify(results, null, 1)}\n`);
}

const named = ({ ablation }: Trial, { result }: RunResult) => ({ name: ablation ?? "gamma-ssl", result });
