import { availableParallelism } from "node:os";
import { classesOf } from "../../data/datasets/classesOf.js";
import { requireSameClasses } from "../../data/datasets/sameClasses.js";
import { unlabelled } from "../../data/datasets/spec.js";
import type { CheckedDataset } from "../../data/open/openChecked.js";
import { openDataset } from "../../data/open/openDataset.js";
import { openDevice } from "../../engine/runtime/device.js";
import { deployable } from "../../inference/deployable.js";
import { cacheFolder } from "../../platform/cacheFolder.js";
import { type Computing, cancellable, type Watching } from "../../platform/watching.js";
import { openRun } from "../../runs/openRun.js";
import { seenRemarks } from "../../training/roles.js";
import { openValidated } from "../../training/validatedData.js";
import type { ThresholdFile } from "../export/thresholdFile.js";
import { solveThreshold, type ThresholdRule } from "./solveThreshold.js";
import { writeThreshold } from "./writeThreshold.js";

/** Which images γ is solved on, and how. */
export interface ThresholdOptions extends Omit<Watching, "onNote">, Computing {
  /** Images of the place it is for, as a spec; labels beside them are not opened. */
  readonly target: string;
  /** Instead of Alg. 1: the γ that leaves this share of all pixels certain. */
  readonly share?: number | undefined;
  /** Pairs of views of each image; 4 when left out. */
  readonly views?: number | undefined;
  /** Decides the views; 0 when left out. */
  readonly seed?: number | undefined;
  /** Afterwards, compare γ with the labels of the same images. */
  readonly compareLabels?: boolean | undefined;
  /** Which weights of the run: "last", or those of a stage, e.g. "1-pretraining". */
  readonly checkpoint?: string | undefined;
}

/** A γ that was solved, and the files that have it. */
export interface SolvedThreshold {
  readonly threshold: ThresholdFile;
  /** For `exportModel`. */
  readonly file: string;
  /** For people. */
  readonly card: string;
}

/** Solve γ of a run for another place, from images without labels, and write it to `RUN/thresholds`. */
export async function thresholdFor(folder: string, options: ThresholdOptions): Promise<SolvedThreshold> {
  const { target, share, views = 4, seed = 0, checkpoint, compareLabels = false } = options;
  const { threads = availableParallelism(), cache = cacheFolder(), command = "solveThreshold()" } = options;
  const onProgress = cancellable(options);
  const runtime = await openDevice({ threads, device: options.device });
  const rule: ThresholdRule = share === undefined ? { kind: "consistency", views, seed } : { kind: "share", share };
  const run = await openRun(folder, checkpoint);
  const source = await openDataset(run.config.source, { cache });
  const open = (spec: string): Promise<CheckedDataset> => {
    const telling = (what: string, done: number, total: number): void => onProgress(`${what} ${spec}`, done, total);
    return openValidated(spec, { cache, onProgress: telling });
  };
  const labelled = compareLabels ? (await open(target)).dataset : null;
  if (labelled !== null) requireSameClasses(labelled, classesOf(source), source.spec);
  const images = await open(unlabelled(target));
  const remarks: string[] = [];
  remarks.push(...(await seenRemarks(run.config, images, { open, onNote: (note) => remarks.push(note) })));
  const ready = await deployable(runtime, run, source, onProgress);
  const request = {
    runtime,
    deployable: ready,
    source,
    images: images.dataset,
    rule,
    labelled,
    remarks,
    command,
    onProgress,
  };
  const threshold = await solveThreshold(request);
  return { threshold, ...(await writeThreshold(folder, threshold)) };
}
