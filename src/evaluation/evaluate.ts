import { availableParallelism } from "node:os";
import { basename, resolve } from "node:path";
import type { Dataset } from "../data/datasets/dataset.js";
import type { CheckedDataset } from "../data/open/openChecked.js";
import { openDataset } from "../data/open/openDataset.js";
import { openDevice } from "../engine/runtime/device.js";
import { type BaselineOptions, usualBaselines } from "../methods/parts/baselineOptions.js";
import type { Method } from "../methods/parts/method.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { UserError } from "../platform/errors.js";
import { type Computing, cancellable, type Watching } from "../platform/watching.js";
import { openRun, type TrainedRun } from "../runs/openRun.js";
import { refuseSeen } from "../training/roles.js";
import type { TrainEvent } from "../training/trainJob.js";
import { openValidated } from "../training/validatedData.js";
import { askedMethods, methodsFor, needsHeldOut, ownMethod } from "./askedMethods.js";
import { baselineRuns, untrained } from "./baselineRuns.js";
import { evaluateRun, requireClasses } from "./evaluateRun.js";
import { openHeldOut } from "./openHeldOut.js";
import type { ResultFile, Selection } from "./results/resultFile.js";
import type { PolicyName } from "./results/resultOf.js";
import { trainBaselines } from "./trainBaselines.js";

/** What `evaluate` is to measure, and how. */
export interface EvaluateOptions extends Watching, Computing {
  /** Labelled data sets to measure on, as specs. */
  readonly on: readonly string[];
  /** "all", or names of methods joined by commas; the quick ones and the run's own when left out. */
  readonly methods?: string | undefined;
  /** How settings of methods are chosen; on held-out images of the source when left out. */
  readonly select?: Selection | undefined;
  /** Held-out labelled images of the source, as a spec; guessed from the spec of the source when left out. */
  readonly sourceVal?: string | undefined;
  /** Choices about baselines; the paper's when left out. */
  readonly baselines?: Partial<BaselineOptions> | undefined;
  /** What happens to unknown and void pixels; "paper" when left out. */
  readonly policy?: PolicyName | undefined;
  /** Images of each data set to keep for the report; 24 when left out. */
  readonly examples?: number | undefined;
  /** Measure even on images that a run was trained on. */
  readonly allowSeen?: boolean | undefined;
  /** Measure and fit again what an earlier call has finished. */
  readonly overwrite?: boolean | undefined;
  /** Called while a network that a baseline needs is trained. */
  readonly onTraining?: ((network: string, event: TrainEvent) => void) | undefined;
}

/** A result, and the name of the run it is of. */
export interface RunResult {
  readonly run: string;
  readonly result: ResultFile;
}

/** A run with all that is needed to measure it. */
interface Prepared {
  readonly run: TrainedRun;
  readonly source: Dataset;
  /** Tests whose settings are chosen on the same images, or on none. */
  readonly parts: readonly {
    readonly datasets: readonly Dataset[];
    readonly validation: Dataset | null;
    readonly methods: readonly Method[];
  }[];
}

/** What `evaluate` would do. */
export interface EvaluationPlan {
  readonly datasets: readonly { readonly spec: string; readonly images: number }[];
  readonly runs: readonly { readonly run: string; readonly methods: readonly string[] }[];
  /** Networks of baselines that would be trained first. */
  readonly networks: readonly { readonly name: string; readonly steps: number }[];
}

/** Check everything that `evaluate` checks, and say what it would measure and train. Nothing is written. */
export async function planEvaluation(folders: readonly string[], options: EvaluateOptions): Promise<EvaluationPlan> {
  const { asked, baselines, datasets, prepared } = await openEvaluation(folders, options);
  const [first] = prepared;
  const needed = baselineRuns(first!.run.config, asked, baselines);
  const networks = await untrained(first!.run, needed, first!.source);
  return {
    datasets: datasets.map(({ spec, items }) => ({ spec, images: items.length })),
    runs: prepared.map(({ run, parts }) => ({
      run: basename(resolve(run.folder)),
      methods: [...new Set(parts.flatMap(({ methods }) => methods.map(({ name }) => name)))],
    })),
    networks: networks.map(({ name, config }) => ({ name, steps: config.steps })),
  };
}

/**
 * Measure runs on labelled images, and write a result file for each method into `RUN/results`. Networks that baselines need are trained
 * first. A call that was interrupted continues where it was. Every check comes before the first training.
 */
export async function evaluate(folders: readonly string[], options: EvaluateOptions): Promise<RunResult[]> {
  const { select, policy = "paper", examples = 24, overwrite = false, onNote = () => {}, signal } = options;
  const { cache = cacheFolder(), threads = availableParallelism(), command = "evaluate()" } = options;
  const onProgress = cancellable(options);
  const runtime = await openDevice({ threads, device: options.device });
  const { asked, baselines, datasets, prepared } = await openEvaluation(folders, options);
  const { onTraining = () => {} } = options;
  const training = {
    baselines,
    threads,
    device: runtime.device,
    cache,
    command,
    onProgress,
    onNote,
    onTraining,
    signal,
  };
  await trainBaselines(prepared[0]!.run, asked, training);
  const entries: RunResult[] = [];
  const specs = datasets.map(({ spec }) => spec);
  for (const { run, source, parts } of prepared) {
    const name = basename(resolve(run.folder));
    const results: ResultFile[] = [];
    for (const part of parts) {
      results.push(
        ...(await evaluateRun({
          runtime,
          run,
          source,
          ...part,
          select: select ?? "source-val",
          baselines,
          policy,
          examples,
          overwrite,
          command,
          onProgress: (what, done, total) => onProgress(`${name}: ${what}`, done, total),
        })),
      );
    }
    results.sort((a, b) => specs.indexOf(a.dataset) - specs.indexOf(b.dataset));
    entries.push(...results.map((result) => ({ run: name, result })));
  }
  return entries;
}

/** What is asked for, with every check that needs no training. */
async function openEvaluation(
  folders: readonly string[],
  options: EvaluateOptions,
): Promise<{ asked: readonly Method[]; baselines: BaselineOptions; datasets: Dataset[]; prepared: Prepared[] }> {
  const { on, select, cache = cacheFolder(), onNote = () => {} } = options;
  const onProgress = cancellable(options);
  const baselines = { ...usualBaselines, ...options.baselines };
  const runs: TrainedRun[] = [];
  for (const folder of folders) runs.push(await openRun(folder));
  const configs = runs.map(({ config }) => config);
  const asked = askedMethods(configs, options.methods);
  const open = (spec: string): Promise<CheckedDataset> =>
    openValidated(spec, { cache, onProgress: (what, done, total) => onProgress(`${what} ${spec}`, done, total) });
  const checked: CheckedDataset[] = [];
  for (const spec of on) checked.push(await open(spec));
  const datasets = checked.map(({ dataset }) => dataset);
  if (!options.allowSeen) for (const { config } of runs) await refuseSeen(config, checked, { open, onNote });
  const prepared: Prepared[] = [];
  for (const [index, run] of runs.entries()) {
    const source = await openDataset(run.config.source, { cache });
    const { sourceVal } = options;
    const heldOut = await openHeldOut({
      config: run.config,
      sourceVal,
      select,
      measured: checked,
      cache,
      onProgress,
      onNote,
    });
    requireClasses({ source, validation: heldOut.dataset, run, datasets });
    const possible = methodsFor(run.config, asked);
    // Baselines are the first run's; of the others only what their own adaptation made is of interest.
    const wanted =
      index === 0
        ? possible
        : possible.filter((method) => method.network === "adapted" || method === ownMethod(run.config));
    const part = (datasets: readonly Dataset[], validation: Dataset | null): Prepared["parts"][number] => ({
      datasets,
      validation,
      methods: validation === null ? withoutHeldOut(wanted, options.methods) : wanted,
    });
    const apart = datasets.filter((dataset) => !heldOut.notFor.has(dataset));
    const parts = [part(apart, heldOut.dataset), part([...heldOut.notFor], null)];
    prepared.push({ run, source, parts: parts.filter((one) => one.datasets.length > 0) });
  }
  return { asked, baselines, datasets, prepared };
}

/** Methods that nothing is fitted for on held-out images; of those that were named, none may be missing. */
function withoutHeldOut(methods: readonly Method[], asked: string | undefined): readonly Method[] {
  const left = methods.filter((method) => !needsHeldOut(method));
  const missing = methods.find(needsHeldOut);
  if (missing === undefined || asked === "all" || asked === undefined) return left;
  throw new UserError(`${missing.name} needs held-out labelled images of the source that are not measured on`, {
    hint: "name some: --source-val SPEC",
  });
}
