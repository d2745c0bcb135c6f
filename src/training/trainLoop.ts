import { existsSync } from "node:fs";
import { join } from "node:path";
import { nodeRuntime } from "../engine/runtime/node.js";
import { RUNTIME_FAILED } from "../engine/runtime/ortProgram.js";
import { removeDrafts } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { type Checkpoint, Checkpoints } from "../runs/checkpoints.js";
import { solvesFinalGamma } from "../runs/finalGamma.js";
import { configSeal, openRun } from "../runs/openRun.js";
import { runFiles } from "../runs/runFiles.js";
import { DamagedFile, readSealedTensors, writeSealedTensors } from "../runs/sealedTensors.js";
import { solveFinalGamma } from "./solveFinalGamma.js";
import { stepsOf } from "./stage.js";
import { outlineOf, stagesOf } from "./stages.js";
import { Trainer } from "./trainer.js";
import type { Pace, TrainHooks, TrainJob } from "./trainJob.js";

/** Train until the last step or until asked to stop. Going on where an earlier process left off is the normal case. */
export async function trainLoop(job: TrainJob, { emit, stopRequested }: TrainHooks): Promise<void> {
  const { folder } = job;
  const stages = stagesOf(job.config);
  const steps = stepsOf(stages);
  for (const name of ["", runFiles.stages, runFiles.samples]) await removeDrafts(join(folder, name));
  const checkpoints = await Checkpoints.open(join(folder, runFiles.checkpoints), job.run);
  const saved = await checkpoints.newest((message) => emit({ kind: "note", message }));
  const weights = join(folder, runFiles.weights);
  const ended = await endedWith(weights, saved, emit);
  const checkpoint = ended !== null && ended.step >= (saved?.step ?? 0) ? ended : saved;
  emit({ kind: "started", done: checkpoint?.step ?? 0, steps, stages: outlineOf(job.config) });
  if (ended?.step !== steps) {
    const trainer = await Trainer.open(job, stages, checkpoints, checkpoint, emit).catch((error: unknown) => {
      throw explained(error, job.pace, checkpoint?.step ?? 0);
    });
    try {
      const ending = await trainer.run(stopRequested).catch((error: unknown) => {
        throw explained(error, job.pace, trainer.saved);
      });
      if (ending === "stopped") {
        emit({ kind: "stopped", step: trainer.done });
        return;
      }
      await writeSealedTensors(weights, await trainer.weights(), {
        step: String(steps),
        config: await configSeal(folder),
      });
    } finally {
      await trainer.close();
    }
  }
  // A run that gets more steps later resumes from the weights.
  await checkpoints.clear();
  const ending = await finalGamma(job, { emit, stopRequested });
  emit(ending === "stopped" ? { kind: ending, step: steps } : { kind: ending, step: steps, weights });
}

/** An error of the runtime itself, with what it leaves of the run; any other error as it is. */
function explained(error: unknown, { device = "cpu" }: Pace, saved: number): unknown {
  if (!(error instanceof UserError) || error.code !== RUNTIME_FAILED) return error;
  const [good, then] =
    saved === 0
      ? ["no step was saved yet", "starts over"]
      : [`the checkpoint of step ${saved} is good`, "continues from there"];
  return new UserError(`${error.message}\n${good}: the same command ${then}`, {
    hint:
      device === "cpu"
        ? "if memory ran out: end other programs, or train with smaller --batch and --crop"
        : `with --device cpu it ${then} on the CPU; if memory ran out, smaller --batch and --crop need less`,
    code: RUNTIME_FAILED,
    cause: error,
  });
}

/** Thrown between two images, to leave from wherever they are looked at. */
class StopRequested extends Error {}

/** γ of the finished network. Stopped here, the same command goes on here. */
async function finalGamma(
  { folder, config, data, pace }: TrainJob,
  { emit, stopRequested }: TrainHooks,
): Promise<"finished" | "stopped"> {
  if (config.method !== "gamma-ssl" || !solvesFinalGamma(config)) return "finished";
  try {
    await solveFinalGamma({
      runtime: nodeRuntime(pace),
      run: await openRun(folder),
      source: data.source,
      target: config.options.unlabelled === "source" ? data.source : data.targets.at(-1)!,
      onProgress: (what, done, total) => {
        if (stopRequested()) throw new StopRequested();
        emit({ kind: "busy", what: `solving γ: ${what} ${done}/${total}` });
      },
    });
    return "finished";
  } catch (error) {
    if (error instanceof StopRequested) return "stopped";
    throw error;
  }
}

/**
 * The weights that a training ended with, and after how many steps; null where it has not ended. Damaged ones are written again from a
 * checkpoint; without one they are refused, since training anew may take hours.
 */
async function endedWith(path: string, saved: Checkpoint | null, emit: TrainHooks["emit"]): Promise<Checkpoint | null> {
  if (!existsSync(path)) return null;
  const hint = "restore it from a copy, or start over with --overwrite: a finished run keeps no checkpoints";
  try {
    const { tensors, metadata } = await readSealedTensors(path, hint);
    return { step: Number(metadata.step), state: tensors };
  } catch (error) {
    if (saved === null || !(error instanceof DamagedFile)) throw error;
    emit({ kind: "note", message: `${error.message}; it is written again` });
    return null;
  }
}
