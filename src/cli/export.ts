import { availableParallelism } from "node:os";
import { join } from "node:path";
import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { openDataset } from "../data/datasets/openDataset.js";
import { requireSameClasses } from "../data/datasets/sameClasses.js";
import { unlabelled } from "../data/datasets/spec.js";
import { type ChosenGamma, gammaOfFile, gammaOfTraining } from "../deployment/export/chosenGamma.js";
import { exportableMethod } from "../deployment/export/exportable.js";
import { exportRun } from "../deployment/export/exportRun.js";
import { type Measured, measureModels } from "../deployment/export/measure.js";
import { type Precision, variantOf } from "../deployment/export/variants.js";
import { resultsOf, type Unwritten, writeExport } from "../deployment/export/writeExport.js";
import { DeployedModel } from "../deployment/model/deployedModel.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { type Deployable, deployable } from "../inference/deployable.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { UserError } from "../platform/errors.js";
import { print, printJson } from "../platform/print.js";
import { printable } from "../platform/printable.js";
import { openRun } from "../runs/openRun.js";
import { commandLine } from "./commandLine.js";
import { type BaselineExportOptions, exportBaselineCommand } from "./exportBaseline.js";
import { type Screen, screenOn } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

interface ExportOptions extends BaselineExportOptions {
  readonly method: string;
  readonly weights: string;
  readonly threshold: string;
  readonly fp16?: true;
  readonly int8?: true;
  readonly probabilities?: true;
  readonly calibrate?: string;
  readonly on?: string;
}

export async function exportCommand(folder: string, options: ExportOptions): Promise<void> {
  const method = exportableMethod(options.method);
  if (method.kind === "one-pass") {
    refuseOurs(method.name, options);
    return exportBaselineCommand(folder, method, options);
  }
  const screen = screenOn(process.stderr);
  const run = await openRun(folder, options.weights);
  const open = (spec: string): Promise<Dataset> =>
    openDataset(spec, { cache: join(options.cache ?? cacheFolder(), "scenes") });
  const runtime = nodeRuntime({
    threads: wholeNumber("threads", options.threads ?? String(availableParallelism()), [1, 256]),
  });
  const source = await open(run.config.source);
  const labelled = options.on === undefined ? source : await open(options.on);
  requireSameClasses(labelled, classesOf(source), source.spec);
  const onProgress = (what: string, done: number, total: number): void => screen.passing(`${what}: ${done}/${total}`);
  const ready = await deployable(runtime, run, source, onProgress);
  for (const name of ready.unseen) {
    screen.line(`warning: class "${name}" never occurs in the source: it has no prototype and is never predicted`);
  }
  const gamma = await chosenGamma(options, ready);
  const target = await openTarget(ready.config.targets.at(-1)!, open, screen);
  const exported = await exportRun({
    runtime,
    deployable: ready,
    source,
    target,
    gamma,
    probabilities: options.probabilities === true,
    onProgress,
  });

  const wanted: Precision[] = [
    ...(options.fp16 ? ["float16" as const] : []),
    ...(options.int8 ? ["int8" as const] : []),
  ];
  const calibration = options.calibrate === undefined ? source : await open(unlabelled(options.calibrate));
  const models: Unwritten[] = [exported];
  for (const precision of wanted) models.push(await variantOf(precision, exported, { runtime, calibration }));
  const measured =
    wanted.length === 0 ? null : { on: labelled.spec, models: await measure(runtime, models, labelled, onProgress) };
  screen.passing("");

  const { parity } = exported;
  const results = await resultsOf(folder);
  const to = options.to ?? join(folder, "model.onnx");
  const { files, card } = await writeExport(to, models, { parity, measured, results, command: commandLine() });
  if (options.json) {
    const { gamma: value, gammaFrom, expectedCertain } = exported.info;
    printJson({ files, card, gamma: value, gammaFrom, expectedCertain, parity, measured }, 1);
    return;
  }
  const { gamma: value, gammaFrom, expectedCertain: expected } = exported.info;
  print(
    `γ ${value.toFixed(4)} from ${gammaFrom}; certain ${percent(expected.mean)} ± ${percent(expected.deviation)} of an image on ${expected.on}`,
  );
  print(
    `same output as the trained network: similarities within ${parity.similarity.toExponential(1)} at ${parity.sizes.join(", ")}`,
  );
  for (const { path, bytes, nodes, precision } of files) {
    const loss = measured?.models.find((one) => one.precision === precision);
    const said =
      loss === undefined
        ? ""
        : `, accuracy ${loss.accuracy?.toFixed(4) ?? "-"}, AUROC ${loss.auroc?.toFixed(4) ?? "-"}`;
    print(`${path}  (${(bytes / 1e6).toFixed(1)} MB, ${nodes} nodes${said})`);
  }
  print(card);
}

/** What only our own model has: a γ, a choice of weights, and variants that are measured by it. */
function refuseOurs(
  method: string,
  { weights, threshold, fp16, int8, probabilities, calibrate, on }: ExportOptions,
): void {
  const given = {
    weights: weights !== "last",
    threshold: threshold !== "training",
    fp16,
    int8,
    probabilities,
    calibrate: calibrate !== undefined,
    on: on !== undefined,
  };
  const [name] = Object.entries(given).find(([, said]) => said === true) ?? [];
  if (name === undefined) return;
  throw new UserError(`--${name} goes with --method gamma-ssl, not with ${method}`, {
    hint: "a baseline has no γ, looks through the weights that gssl evaluate gives it, and is written in float32",
  });
}

/** γ of training belongs to the weights it ended with. */
async function chosenGamma({ threshold, weights }: ExportOptions, ready: Deployable): Promise<ChosenGamma> {
  if (threshold !== "training") return gammaOfFile(threshold, ready);
  if (weights !== "last") {
    throw new UserError(`γ of training belongs to its last weights, not to "${printable(weights)}"`, {
      hint: "solve for theirs with gssl threshold --weights, and export with --threshold FILE",
    });
  }
  return gammaOfTraining(ready);
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** Images of the place the run was made for. A model can be made without them; it then expects what training saw. */
async function openTarget(
  spec: string,
  open: (spec: string) => Promise<Dataset>,
  screen: Screen,
): Promise<Dataset | null> {
  try {
    return await open(unlabelled(spec));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    screen.line(`note: ${error.message}; the share of certain pixels to expect is that of training`);
    return null;
  }
}

async function measure(
  runtime: Runtime,
  models: readonly Unwritten[],
  dataset: Dataset,
  onProgress: (what: string, done: number, total: number) => void,
): Promise<Measured[]> {
  const opened: DeployedModel[] = [];
  try {
    for (const { bytes, info } of models) opened.push(await DeployedModel.open(runtime, bytes, info.precision));
    return await measureModels(opened, dataset, (done, total) => onProgress("measuring", done, total));
  } finally {
    for (const model of opened) await model.close();
  }
}
