import { availableParallelism } from "node:os";
import { unlabelled } from "../data/datasets/spec.js";
import type { CheckedDataset } from "../data/open/openChecked.js";
import { openDevice } from "../engine/runtime/device.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import type { Computing } from "../platform/watching.js";
import { type GammaConfig, resolveConfig, type TrainConfig } from "../runs/config.js";
import { departures } from "../runs/departures.js";
import { dataWarnings } from "./dataWarnings.js";
import { dryRun, type TrainingPlan } from "./dryRun.js";
import type { RunRequest } from "./prepareRun.js";
import { refuseLeaks } from "./roles.js";
import { runTraining } from "./runTraining.js";
import { requireSteps, settingWarnings } from "./settingWarnings.js";
import type { TrainEvent } from "./trainJob.js";
import { openValidated, refuseChanges } from "./validatedData.js";

/** Where and how to train. Nothing here changes the weights, but for the rounding of another device. */
export interface TrainOptions extends Computing {
  /** The run folder. */
  readonly to: string;
  /** Labelled images to measure on now and then, as a spec. */
  readonly validate?: string | undefined;
  /** Threads that prepare batches; 1 when left out. */
  readonly workers?: number | undefined;
  /** Steps between checkpoints; 100 when left out. */
  readonly checkpointEvery?: number | undefined;
  /** Steps between validations; 500 when left out. */
  readonly validateEvery?: number | undefined;
  /** Start over: removes what an earlier run left in the folder. */
  readonly overwrite?: boolean | undefined;
  /** Called with everything that happens, in order. */
  readonly onEvent?: ((event: TrainEvent) => void) | undefined;
  /** Cancels the training after the step it is in, which is saved: `train` then rejects, and the same call continues from there. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Train a network, or continue a training that was interrupted: the same settings and data end with the same bytes. `settings` are those of
 * a config file; what is left out has its default (`resolveConfig` shows all). Every image and label is checked before step 0. The
 * last of a training of γ-SSL is its γ.
 */
export async function train(settings: object, options: TrainOptions): Promise<TrainConfig> {
  const request = await openTraining(settings, options);
  await runTraining(request, { onEvent: options.onEvent ?? (() => {}), signal: options.signal });
  return request.config;
}

/** How `planTraining` tries. */
export interface PlanOptions extends TrainOptions {
  /** Also count the nodes of each step that the device leaves to the CPU; false when left out. */
  readonly nodes?: boolean | undefined;
}

/** Check everything that `train` checks, try a few steps of every stage, and say what the whole would cost. Nothing is written. */
export const planTraining = async (settings: object, options: PlanOptions): Promise<TrainingPlan> =>
  dryRun(await openTraining(settings, options), { nodes: options.nodes ?? false });

/** The data of a training, checked. */
async function openTraining(settings: object, options: TrainOptions): Promise<RunRequest> {
  const { to, onEvent = () => {}, signal } = options;
  const { cache = cacheFolder(), threads = availableParallelism(), command = "train()" } = options;
  const { workers = 1, checkpointEvery = 100, validateEvery = 500, overwrite = false } = options;
  const config = resolveConfig(settings, "train");
  requireSteps(config);
  const { device } = await openDevice({ threads, device: options.device });
  const note = (message: string): void => onEvent({ kind: "note", message });
  const open = async (spec: string): Promise<CheckedDataset> => {
    const checked = await openValidated(spec, {
      cache,
      onProgress(what, done, total) {
        signal?.throwIfAborted();
        onEvent({ kind: "busy", what: `${what} ${spec}: ${done}/${total}` });
      },
    });
    note(described(checked, spec));
    return checked;
  };
  if (config.method === "gamma-ssl") onEvent(introduction(config));
  const source = await open(config.source);
  for (const warning of settingWarnings(config, source.check)) note(`warning: ${warning}`);
  const targets: CheckedDataset[] = [];
  // In turn: opening may draw and check thousands of images on every core.
  if (config.method === "gamma-ssl") for (const spec of config.targets) targets.push(await open(unlabelled(spec)));
  for (const warning of await dataWarnings(config, source, targets)) note(`warning: ${warning}`);
  const validation = options.validate === undefined ? null : await open(options.validate);
  if (validation !== null) for (const one of [source, ...targets]) await refuseLeaks(one, validation);
  for (const one of [source, ...targets, ...(validation === null ? [] : [validation])]) await refuseChanges(one);
  return {
    folder: to,
    config,
    data: { source: source.dataset, targets: targets.map(({ dataset }) => dataset) },
    validation: validation?.dataset ?? null,
    pace: { threads, device, workers, checkpointEvery, validateEvery },
    overwrite,
    command,
  };
}

/** Which variant of the method this is; in detail, where it departs from the paper. */
function introduction(config: GammaConfig): Extract<TrainEvent, { kind: "note" }> {
  const details = departures(config);
  const named = `γ-SSL, profile ${config.profile}${config.ablation === null ? "" : `, ablation ${config.ablation}`}`;
  if (details.length === 0) return { kind: "note", message: `${named}: every setting as in the paper` };
  const message = `${named}; not every setting is the paper's: --verbose and gssl report list them`;
  return { kind: "note", message, details: ["here (in the paper)", ...details] };
}

/** What a data set holds. */
function described({ dataset, check: { images, problems } }: CheckedDataset, spec: string): string {
  const count = problems.length === 1 ? "1 warning" : `${problems.length} warnings`;
  const remark = problems.length === 0 ? "" : `, ${count} (gssl inspect '${spec}' shows them)`;
  return `${dataset.spec}: ${images} images${remark}`;
}
