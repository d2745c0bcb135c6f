import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { classesOf } from "../data/datasets/classesOf.js";
import { requireSameClasses } from "../data/datasets/sameClasses.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import { type Placement, placed } from "../engine/runtime/placement.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { size } from "../engine/tensor/shape.js";
import { UserError } from "../platform/errors.js";
import { type RunRequest, readRun, standing } from "./prepareRun.js";
import { imagesIn, stepsOf } from "./stage.js";
import { stagesOf } from "./stages.js";
import { openStage } from "./trainer.js";

/** What a training would do and cost. */
export interface TrainingPlan {
  readonly stages: readonly {
    readonly name: string;
    readonly steps: number;
    readonly images: number;
    /** A step, timed after the first, which warms everything up. */
    readonly secondsPerStep: number;
    /** Which nodes of the step fall back to the CPU, where that was asked for; the time is then that of a traced step. */
    readonly placement?: Placement;
  }[];
  readonly steps: number;
  readonly seconds: number;
  /** Weights, optimiser memory and the ends of stages on disk while it trains, about; and what is free there. */
  readonly bytes: number;
  readonly freeBytes: number;
  /** Of this process, with the largest stage open. */
  readonly memoryBytes: number;
  /** What keeps the folder from being used as it is; empty where nothing does. */
  readonly differsFromFolder: readonly string[];
  /** Whether the folder holds this training, begun. */
  readonly continues: boolean;
}

/** Steps of each stage that are computed and thrown away. */
const TRIED = 3;

/** Checkpoints that lie side by side, each the weights and two averages of their gradients. */
const COPIES = 3 * 3;

/** Try a few steps of every stage on checked data, keep nothing of them, and say what the whole would cost. Nothing is written. */
export async function dryRun(request: RunRequest, { nodes }: { readonly nodes: boolean }): Promise<TrainingPlan> {
  const { folder, config, data, validation, pace, overwrite } = request;
  if (validation !== null) requireSameClasses(validation, classesOf(data.source), data.source.spec);
  const found = overwrite ? null : await readRun(folder);
  const stages = stagesOf(config);
  const timed: TrainingPlan["stages"][number][] = [];
  let [parameters, memoryBytes, done] = [0, 0, 0];
  for (const stage of stages) {
    const tried = async (runtime: Runtime): Promise<number> => {
      const run = await openStage(request, { stages, done, runtime }, async () => ({}));
      try {
        await run.step();
        const started = performance.now();
        for (let step = 1; step < TRIED; step++) await run.step();
        parameters = run.training.params.reduce((sum, { shape }) => sum + size(shape), 0);
        memoryBytes = Math.max(memoryBytes, process.memoryUsage().rss);
        return (performance.now() - started) / 1000 / (TRIED - 1);
      } finally {
        await run.close();
      }
    };
    const known = { name: stage.name, steps: stage.steps, images: imagesIn(stage, data) };
    if (nodes) {
      const { result, placement } = await placed((prefix) => tried(nodeRuntime({ ...pace, profile: prefix })));
      timed.push({ ...known, secondsPerStep: result, placement });
    } else timed.push({ ...known, secondsPerStep: await tried(nodeRuntime(pace)) });
    done += stage.steps;
  }
  return {
    stages: timed,
    steps: stepsOf(stages),
    seconds: timed.reduce((sum, { steps, secondsPerStep }) => sum + steps * secondsPerStep, 0),
    bytes: 4 * parameters * (COPIES + stages.length),
    freeBytes: await freeBytes(resolve(folder)),
    memoryBytes,
    differsFromFolder: found === null ? [] : (await standing(folder, config, found)).reasons,
    continues: found !== null,
  };
}

/** Of the nearest folder above that exists. */
async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => null);
  if (found !== null) return found.bavail * found.bsize;
  if (dirname(folder) === folder) throw new UserError(`there is no folder ${folder}`);
  return freeBytes(dirname(folder));
}
