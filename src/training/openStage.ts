import { openLoader } from "../data/loader/openLoader.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import type { Tensors } from "../engine/tensor/hostTensor.js";
import { placeAfter, type Stage, type Training } from "./stage.js";
import { StageRun } from "./stageRun.js";
import type { TrainJob } from "./trainJob.js";

/** The stage of the step after `done`, with a loader of its own. `state` is what the step before left. */
export function openStage(
  { folder, config, data, pace }: Pick<TrainJob, "folder" | "config" | "data" | "pace">,
  { stages, done, runtime }: { stages: readonly Stage[]; done: number; runtime: Runtime },
  state: (training: Training) => Promise<Tensors>,
): Promise<StageRun> {
  const place = placeAfter(done, stages);
  return StageRun.open(stages[place.index]!, {
    ...{ folder, runtime, data, seed: config.seed, place, state },
    open: (plan) => openLoader(plan, { workers: pace.workers }),
  });
}
