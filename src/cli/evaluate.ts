import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import pc from "picocolors";
import type { Dataset } from "../data/datasets/dataset.js";
import type { CheckedDataset } from "../data/datasets/openChecked.js";
import { openDataset } from "../data/datasets/openDataset.js";
import { writeProbabilities } from "../deployment/predict/writeProbabilities.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import { askedMethods, methodsOf, needsHeldOut, ownMethod } from "../evaluation/askedMethods.js";
import { evaluateRun } from "../evaluation/evaluateRun.js";
import { type ResultFile, type Selection, selections } from "../evaluation/results/resultFile.js";
import { policies } from "../metrics/verdict.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { print, printJson } from "../platform/print.js";
import { printable } from "../platform/printable.js";
import { resultTables } from "../report/resultTable.js";
import { tableText } from "../report/tableText.js";
import { openRun, type TrainedRun } from "../runs/openRun.js";
import { openValidated, refuseSeen } from "../training/validatedData.js";
import { type BaselineWords, baselineOptions } from "./baselineOptions.js";
import { commandLine } from "./commandLine.js";
import { oneOf } from "./oneOf.js";
import { openHeldOut } from "./openHeldOut.js";
import { trainBaselines } from "./trainBaselines.js";
import { screenOn } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

interface EvaluateOptions extends BaselineWords {
  readonly on: readonly string[];
  readonly methods?: string;
  readonly select?: string;
  readonly sourceVal?: string;
  readonly policy: string;
  readonly examples: string;
  readonly again?: true;
  readonly allowSeen?: true;
  readonly probabilities?: string;
  readonly threads?: string;
  readonly cache?: string;
  readonly json?: true;
}

/** A result, and the run it is of. */
export interface RunResult {
  readonly run: string;
  readonly result: ResultFile;
}

export async function evaluate(folders: readonly string[], options: EvaluateOptions): Promise<void> {
  const entries = await measureRuns(folders, options);
  if (options.json) {
    const results = entries.map(({ result }) => result);
    printJson(results, 1);
  } else {
    const inks = { bold: pc.bold, strike: pc.strikethrough, faint: pc.dim, printable };
    print(tableText(resultTables(entries), inks));
  }
}

/** Measure methods on runs, training the networks that baselines need first. */
export async function measureRuns(folders: readonly string[], options: EvaluateOptions): Promise<RunResult[]> {
  const screen = screenOn(process.stderr);
  const cache = options.cache ?? cacheFolder();
  const policy = oneOf("policy", Object.keys(policies) as (keyof typeof policies)[], options.policy);
  const select = oneOf("select", selections, options.select ?? "source-val");
  const baselines = baselineOptions(options);
  const threads = wholeNumber("threads", options.threads ?? String(availableParallelism()), [1, 256]);
  const runs: TrainedRun[] = [];
  for (const folder of folders) runs.push(await openRun(folder));
  const asked = askedMethods(
    runs.map(({ config }) => config),
    options.methods,
  );
  const open = (spec: string): Promise<CheckedDataset> =>
    openValidated(spec, {
      cache,
      onProgress: (what, done, total) => screen.passing(`${what} ${spec}: ${done}/${total}`),
    });
  const checked: CheckedDataset[] = [];
  for (const spec of options.on) checked.push(await open(spec));
  const datasets = checked.map(({ dataset }) => dataset);
  if (!options.allowSeen) {
    const seeing = { open, onNote: (note: string) => screen.line(`note: ${note}`) };
    for (const { config } of runs) await refuseSeen(config, checked, seeing);
  }
  const heldOut = new Map<TrainedRun, { source: Dataset; validation: Dataset | null }>();
  for (const run of runs) {
    const source = await openDataset(run.config.source, { cache: join(cache, "scenes") });
    const validation = await openHeldOut(source, { ...options, select: options.select as Selection, cache }, screen);
    heldOut.set(run, { source, validation });
  }
  await trainBaselines(runs[0]!, asked, { baselines, threads, cache, screen });
  const entries: RunResult[] = [];
  for (const [index, run] of runs.entries()) {
    const { source, validation } = heldOut.get(run)!;
    const possible = asked
      .filter((method) => methodsOf(run.config).includes(method))
      .filter((method) => validation !== null || options.methods !== "all" || !needsHeldOut(method));
    const results = await evaluateRun({
      runtime: nodeRuntime({ threads }),
      run,
      source,
      validation,
      datasets,
      // Baselines are the first run's; of the others only their own method is of interest.
      methods: index === 0 ? possible : possible.filter((method) => method === ownMethod(run.config)),
      select,
      baselines,
      policy,
      examples: wholeNumber("examples", options.examples, [0, 1000]),
      again: options.again === true,
      command: commandLine(),
      onProgress: (what, done, total) => screen.passing(`${run.folder}: ${what}: ${done}/${total}`),
    });
    if (options.probabilities !== undefined && run.config.method === "gamma-ssl") {
      await writeProbabilities({
        runtime: nodeRuntime({ threads }),
        run,
        source,
        datasets,
        to: join(options.probabilities, basename(resolve(run.folder))),
        onProgress: (what, done, total) => screen.passing(`${run.folder}: ${what}: ${done}/${total}`),
      });
    }
    entries.push(...results.map((result) => ({ run: basename(resolve(run.folder)), result })));
  }
  screen.passing("");
  return entries;
}
