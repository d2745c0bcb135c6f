import { availableParallelism } from "node:os";
import { type JobRunner, WorkerPool } from "../../platform/workerPool.js";
import { drawScene, type Scene } from "./drawScene.js";
import type { ScenesSpec } from "./spec.js";

export interface SceneJob {
  readonly spec: ScenesSpec;
  readonly index: number;
}

/** Threads that draw scenes, as many as there are cores. A scene depends on its key, not on the thread that draws it. */
export const openScenePool = (threads = availableParallelism()): WorkerPool<null, SceneJob, Scene> =>
  new WorkerPool({ module: import.meta.url, openRunner }, null, threads);

/** Called by `platform/jobThread.ts`. @public */
export function openRunner(): JobRunner<SceneJob, Scene> {
  return {
    run: ({ spec, index }) => drawScene(spec, index),
    transfer: ({ rgb, labels }) =>
      [rgb, ...(labels === null ? [] : [labels])].map(({ buffer }) => buffer as ArrayBuffer),
  };
}
