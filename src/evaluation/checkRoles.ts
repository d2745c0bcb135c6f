import { classesOf } from "../data/datasets/classesOf.js";
import { requireSameClasses } from "../data/datasets/sameClasses.js";
import type { CheckedDataset } from "../data/open/openChecked.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { type Computing, cancellable, type Watching } from "../platform/watching.js";
import type { TrainConfig } from "../runs/config.js";
import { refuseSeen } from "../training/roles.js";
import { openValidated } from "../training/validatedData.js";
import { openHeldOut } from "./openHeldOut.js";

/** What will be trained, and measured when that is done. */
export interface PlannedMeasuring {
  readonly config: TrainConfig;
  /** Labelled images to measure on, as specs. */
  readonly on: readonly string[];
  /** Held-out labelled images of the source, as a spec. */
  readonly sourceVal: string | undefined;
}

/**
 * Look at all images before the first of many trainings, as `evaluate` does when they are over: each readable, with the classes of the
 * source, and in one role alone. Returns what the data sets that are measured on call themselves.
 */
export async function checkRoles(
  { config, on, sourceVal }: PlannedMeasuring,
  { cache = cacheFolder(), onNote = () => {}, ...watching }: Pick<Computing, "cache"> & Watching,
): Promise<string[]> {
  const onProgress = cancellable(watching);
  const open = (spec: string): Promise<CheckedDataset> =>
    openValidated(spec, { cache, onProgress: (what, done, total) => onProgress(`${what} ${spec}`, done, total) });
  const { dataset: source } = await open(config.source);
  const measured: CheckedDataset[] = [];
  for (const spec of on) measured.push(await open(spec));
  await refuseSeen(config, measured, { open, onNote });
  const heldOut = await openHeldOut({ config, sourceVal, select: undefined, measured, cache, onProgress, onNote });
  const labelled = [...measured.map(({ dataset }) => dataset), ...(heldOut.dataset === null ? [] : [heldOut.dataset])];
  for (const dataset of labelled) requireSameClasses(dataset, classesOf(source), source.spec);
  return measured.map(({ dataset }) => dataset.spec);
}
