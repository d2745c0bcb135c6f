import { availableParallelism } from "node:os";
import { join } from "node:path";
import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { requireSameClasses } from "../data/datasets/sameClasses.js";
import { unlabelled } from "../data/datasets/spec.js";
import { openDataset } from "../data/open/openDataset.js";
import { openDevice } from "../engine/runtime/device.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { NetworkNames } from "../evaluation/networkNames.js";
import { openHeldOut } from "../evaluation/openHeldOut.js";
import { prepareContext } from "../evaluation/prepare/context.js";
import { findResults } from "../evaluation/results/findResults.js";
import { deployable, requireDeployable } from "../inference/deployable.js";
import { type BaselineOptions, usualBaselines } from "../methods/parts/baselineOptions.js";
import { choosesSettings, type OnePassMethod } from "../methods/parts/method.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { UserError } from "../platform/errors.js";
import { fileIn } from "../platform/files.js";
import { printable } from "../platform/printable.js";
import { type Computing, cancellable, type OnProgress, type Watching } from "../platform/watching.js";
import { openRun, type TrainedRun } from "../runs/openRun.js";
import { type ChosenGamma, gammaOfFile, gammaOfTraining } from "./export/chosenGamma.js";
import { exportableMethod } from "./export/exportable.js";
import { exportBaseline, openBaseline } from "./export/exportBaseline.js";
import { exportRun } from "./export/exportRun.js";
import { type Measured, measureModels } from "./export/measure.js";
import type { Parity } from "./export/parity.js";
import { type Precision, variantOf } from "./export/variants.js";
import { type Unwritten, type WrittenExport, writeExport } from "./export/writeExport.js";
import { DeployedModel } from "./model/deployedModel.js";
import type { BaselineInfo, ModelInfo } from "./model/modelInfo.js";

/** Which model of a run to write, and where. */
export interface ExportOptions extends Watching, Computing {
  /** "gamma-ssl", or a baseline that needs one pass of one network; "gamma-ssl" when left out. */
  readonly method?: string | undefined;
  /** The ONNX file, or the folder it goes into; `model.onnx`, or `model.<baseline>.onnx`, in the run folder when left out. */
  readonly to?: string | undefined;
  /** γ-SSL: which weights of the run: "last", or those of a stage, e.g. "1-pretraining". */
  readonly checkpoint?: string | undefined;
  /** γ-SSL: a file of `solveThreshold` that has γ; that of training when left out. */
  readonly gamma?: string | undefined;
  /** γ-SSL: also write a file with weights in half precision. */
  readonly fp16?: boolean | undefined;
  /** γ-SSL: also write a file that computes in 8-bit integers. */
  readonly int8?: boolean | undefined;
  /** γ-SSL: one more output, K + 1 class probabilities of each pixel (Eq. 4). */
  readonly probabilities?: boolean | undefined;
  /** γ-SSL: images to find the ranges of 8-bit integers on, as a spec; the source when left out. */
  readonly calibrate?: string | undefined;
  /** γ-SSL: labelled images to measure what `fp16` and `int8` lose, as a spec; the source when left out. */
  readonly on?: string | undefined;
  /** Baselines: held-out labelled images of the source, to choose settings on, as a spec. */
  readonly sourceVal?: string | undefined;
  /** Baselines: choices about them; the paper's when left out. */
  readonly baselines?: Partial<BaselineOptions> | undefined;
}

/** A model that was written: it has shown to give what the trained network gives. */
export type ExportResult = WrittenExport & { readonly parity: Parity } & (
    | ({
        readonly method: "gamma-ssl";
        /** The files beside each other on labelled images, where there are several. */
        readonly measured: { readonly on: string; readonly models: readonly Measured[] } | null;
      } & Pick<ModelInfo, "gamma" | "gammaFrom" | "expectedCertain">)
    | ({ readonly method: string; readonly gamma: null } & Pick<
        BaselineInfo,
        "settings" | "chosen" | "remarks" | "network"
      >)
  );

/** What both kinds of model need. */
interface Work {
  readonly run: TrainedRun;
  readonly runtime: Runtime;
  /** Another device that must give the same; null where none was named. */
  readonly device: Runtime | null;
  readonly source: Dataset;
  readonly to: string;
  readonly cache: string;
  readonly command: string;
  readonly onProgress: OnProgress;
  readonly onNote: (message: string) => void;
  open(spec: string): Promise<Dataset>;
}

/**
 * Write a model of a run as one ONNX file from 8-bit images to predictions, with `model.json` and a card beside it. Nothing is
 * written unless the file and the trained network give the same output. Every check that costs nothing comes first.
 */
export async function exportModel(folder: string, options: ExportOptions = {}): Promise<ExportResult> {
  const method = exportableMethod(options.method ?? "gamma-ssl");
  if (method.kind === "one-pass") refuseOurs(method.name, options);
  const name = method.kind === "one-pass" ? `model.${method.name}.onnx` : "model.onnx";
  const { threads = availableParallelism(), cache = cacheFolder() } = options;
  const to = fileIn(options.to ?? join(folder, name), name);
  const accelerator = await openDevice({ threads, device: options.device });
  const run = await openRun(folder, options.checkpoint);
  const open = (spec: string): Promise<Dataset> => openDataset(spec, { cache });
  const work: Work = {
    run,
    runtime: nodeRuntime({ threads }),
    device: accelerator.device === "cpu" ? null : accelerator,
    source: await open(run.config.source),
    to,
    cache,
    command: options.command ?? "exportModel()",
    onProgress: cancellable(options),
    onNote: options.onNote ?? (() => {}),
    open,
  };
  return method.kind === "one-pass" ? exportOnePass(work, method, options) : exportGamma(work, options);
}

async function exportGamma(work: Work, options: ExportOptions): Promise<ExportResult> {
  const { run, runtime, device, source, to, command, onProgress, onNote, open } = work;
  const calibration = options.calibrate === undefined ? source : await open(unlabelled(options.calibrate));
  const labelled = options.on === undefined ? source : await open(options.on);
  requireSameClasses(labelled, classesOf(source), source.spec);
  requireDeployable(run);
  const gamma = await chosenGamma(run, options);
  const ready = await deployable(runtime, run, source, onProgress);
  for (const name of ready.unseen) {
    onNote(`warning: class "${name}" never occurs in the source: it has no prototype`);
  }
  const target = await openTarget(ready.config.targets.at(-1)!, work);
  const { probabilities = false } = options;
  const request = { runtime, device, deployable: ready, source, target, gamma, probabilities, onProgress };
  const exported = await exportRun(request);
  const wanted: Precision[] = [
    ...(options.fp16 ? ["float16" as const] : []),
    ...(options.int8 ? ["int8" as const] : []),
  ];
  const models: Unwritten[] = [exported];
  for (const precision of wanted) models.push(await variantOf(precision, exported, { runtime, calibration }));
  const measured =
    wanted.length === 0 ? null : { on: labelled.spec, models: await measure(runtime, models, labelled, onProgress) };
  const { parity, info } = exported;
  const results = (await findResults(run.folder, onNote, info.weights)).map(({ result }) => result);
  const written = await writeExport(to, models, { measured, results, command });
  const { gamma: value, gammaFrom, expectedCertain } = info;
  return { method: "gamma-ssl", ...written, gamma: value, gammaFrom, expectedCertain, parity, measured };
}

async function exportOnePass(work: Work, method: OnePassMethod, options: ExportOptions): Promise<ExportResult> {
  const { run, runtime, device, source, to, cache, command, onProgress, onNote } = work;
  const baselines = { ...usualBaselines, ...options.baselines };
  const tries = choosesSettings(method, baselines) || method.needsHeldOut;
  const { sourceVal } = options;
  const heldOut = { config: run.config, sourceVal, select: undefined, measured: [], cache, onProgress, onNote };
  const validation = tries ? (await openHeldOut(heldOut)).dataset : null;
  const context = prepareContext(
    { runtime, run, source, validation, baselines, overwrite: false, onProgress },
    { by: "source-val", on: validation, policy: "paper" },
    new NetworkNames(run, baselines),
  );
  const exported = await exportBaseline({ runtime, device }, await openBaseline(context, method), source);
  const written = await writeExport(to, [exported], { measured: null, results: [], command });
  const { settings, chosen, remarks, network } = exported.info;
  const { parity } = exported;
  return { method: method.name, ...written, gamma: null, settings, chosen, remarks, network, parity };
}

/** What only our own model has: a γ, a choice of weights, and variants that are measured by it. */
function refuseOurs(method: string, options: ExportOptions): void {
  const ours = ["checkpoint", "gamma", "fp16", "int8", "probabilities", "calibrate", "on"] as const;
  const given = ours.find((name) => options[name] !== undefined && options[name] !== false);
  if (given === undefined) return;
  throw new UserError(`"${given}" goes with γ-SSL, not with ${method}`, {
    hint: "a baseline has no γ, uses the weights that gssl evaluate gives it, and is written in float32",
    code: "bad-option",
  });
}

/** γ of training belongs to the weights it ended with. */
async function chosenGamma(run: TrainedRun, { gamma, checkpoint = "last" }: ExportOptions): Promise<ChosenGamma> {
  if (gamma !== undefined) return gammaOfFile(gamma, { run });
  if (checkpoint !== "last") {
    throw new UserError(`γ of training belongs to its last weights, not to "${printable(checkpoint)}"`, {
      hint: "solve for theirs with gssl threshold --checkpoint, and export with --gamma FILE",
    });
  }
  return gammaOfTraining({ run });
}

/** Images of the place the run was made for. A model can be made without them; it then expects what training saw. */
async function openTarget(spec: string, { open, onNote }: Work): Promise<Dataset | null> {
  try {
    return await open(unlabelled(spec));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    onNote(
      `${error.message}; the share of certain pixels to expect is that of training, and what is unlike the source is out of domain`,
    );
    return null;
  }
}

async function measure(
  runtime: Runtime,
  models: readonly Unwritten[],
  dataset: Dataset,
  onProgress: OnProgress,
): Promise<Measured[]> {
  const opened: DeployedModel[] = [];
  try {
    for (const { bytes, info } of models) opened.push(await DeployedModel.open(runtime, bytes, info.precision));
    return await measureModels(opened, dataset, (done, total) => onProgress("measuring", done, total));
  } finally {
    for (const model of opened) await model.close();
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** What was exported, to read in a terminal, a line each. */
export function describeExport(exported: ExportResult): string[] {
  const { files, card } = exported;
  const at = exported.parity.sizes.join(", ");
  const written = files.map(({ path, bytes, nodes, precision }) => {
    const loss =
      "measured" in exported ? exported.measured?.models.find((one) => one.precision === precision) : undefined;
    const said =
      loss === undefined
        ? ""
        : `, accuracy ${loss.accuracy?.toFixed(4) ?? "-"}, AUROC ${loss.auroc?.toFixed(4) ?? "-"}`;
    return `${path}  (${(bytes / 1e6).toFixed(1)} MB, ${nodes} nodes${said})`;
  });
  if (exported.gamma === null) {
    const { method, settings, network, parity, remarks } = exported;
    return [
      ...remarks.map((remark) => `note: ${remark}`),
      `${method} ${JSON.stringify(settings)} of ${network}; same output as gssl evaluate: uncertainty within ${parity.uncertainty.toExponential(1)} at ${at}`,
      ...written,
      card,
    ];
  }
  const { gamma, gammaFrom, expectedCertain: expected, parity } = exported;
  return [
    `γ ${gamma.toFixed(4)} from ${gammaFrom}; certain ${percent(expected.mean)} ± ${percent(expected.deviation)} of an image on ${expected.on}`,
    `same output as the trained network: uncertainty within ${parity.uncertainty.toExponential(1)} at ${at}`,
    ...written,
    card,
  ];
}
