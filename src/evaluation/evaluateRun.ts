import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { requireSameClasses } from "../data/datasets/sameClasses.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import type { BaselineOptions } from "../methods/parts/baselineOptions.js";
import type { Method } from "../methods/parts/method.js";
import { UserError } from "../platform/errors.js";
import type { TrainedRun } from "../runs/openRun.js";
import { evaluatePrepared } from "./evaluatePrepared.js";
import { dataKey, resultKey } from "./methodKey.js";
import { NetworkNames } from "./networkNames.js";
import { type PrepareContext, prepareContext } from "./prepare/context.js";
import { byNetwork, prepare } from "./prepare/prepare.js";
import { finishedResults } from "./results/finishedResults.js";
import type { ResultFile, Selection } from "./results/resultFile.js";
import type { PolicyName } from "./results/resultOf.js";

export interface RunEvaluation {
  readonly runtime: Runtime;
  readonly run: TrainedRun;
  /** The labelled source: methods are fitted on it. */
  readonly source: Dataset;
  /** Held-out labelled images of the source: settings are chosen on them. Null where none are known. */
  readonly validation: Dataset | null;
  /** Labelled images to measure on. */
  readonly datasets: readonly Dataset[];
  readonly methods: readonly Method[];
  readonly select: Selection;
  readonly baselines: BaselineOptions;
  readonly policy: PolicyName;
  /** Images to keep for the report. */
  readonly examples: number;
  /** Measure and fit anew what was done before. */
  readonly overwrite: boolean;
  readonly command: string;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/**
 * Measure methods on labelled data sets and write a result for each. Methods that share a network share its passes. What an
 * earlier call has finished is kept: a call that was interrupted goes on where it was.
 */
export async function evaluateRun(options: RunEvaluation): Promise<ResultFile[]> {
  requireClasses(options);
  const results: ResultFile[] = [];
  const names = new NetworkNames(options.run, options.baselines);
  for (const methods of byNetwork(options.methods)) {
    for (const dataset of options.datasets) results.push(...(await evaluateTogether(options, names, methods, dataset)));
  }
  const specs = options.datasets.map(({ spec }) => spec);
  const order = options.methods.map(({ name }) => name);
  const place = ({ dataset, method }: ResultFile): number =>
    specs.indexOf(dataset) * order.length + order.indexOf(method);
  return results.sort((a, b) => place(a) - place(b));
}

async function evaluateTogether(
  options: RunEvaluation,
  names: NetworkNames,
  methods: readonly Method[],
  dataset: Dataset,
): Promise<ResultFile[]> {
  const { run, policy, examples, command, onProgress } = options;
  const context = contextFor(options, names, dataset);
  const { choosing } = context;
  const keyOf = (method: Method): Promise<string> => resultKey(method, dataset, context);
  const kept = Math.min(examples, dataset.items.length);
  const wanted = { folder: run.folder, dataset: dataset.spec, methods, examples: kept, keyOf };
  const done = options.overwrite ? new Map<Method, ResultFile>() : await finishedResults(wanted);
  const open = methods.filter((method) => !done.has(method));
  if (open.length === 0) return [...done.values()];
  const prepared = await prepare(context, open);
  const keysOf = async (method: Method) => ({
    data: await dataKey(method, dataset, context),
    key: await keyOf(method),
  });
  const asked = { run, prepared, choosing, dataset, keysOf, policy, examples, command, onProgress };
  const measured = await evaluatePrepared(asked);
  return [...done.values(), ...measured];
}

function contextFor(options: RunEvaluation, names: NetworkNames, dataset: Dataset): PrepareContext {
  const { runtime, run, source, validation, baselines, overwrite, select: by, policy, onProgress } = options;
  const on = { "source-val": validation, "best-on-test": dataset, fixed: null }[by];
  return prepareContext(
    { runtime, run, source, validation, baselines, overwrite, onProgress },
    { by, on, policy },
    names,
  );
}

/** The source, the images to choose on and those to measure on must have the classes of the network, in its order. */
export function requireClasses({
  source,
  validation,
  run,
  datasets,
}: Pick<RunEvaluation, "source" | "validation" | "run" | "datasets">): void {
  const classes = classesOf(source);
  if (classes.length !== run.classes) {
    throw new UserError(`${source.spec} has ${classes.length} classes, the network of ${run.folder} ${run.classes}`, {
      hint: "has the source changed since the training?",
    });
  }
  for (const dataset of [...datasets, ...(validation === null ? [] : [validation])])
    requireSameClasses(dataset, classes, source.spec);
}
