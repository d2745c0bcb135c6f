import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runFiles } from "../../train/runFiles.js";
import { stagesOf } from "../../train/stages.js";
import type { TrainedRun } from "./openRun.js";

/** Steps whose γ is averaged (G-8): the last ones of the training. */
const STEPS = 500;

/** γ as training left it: the mean and spread over its last steps; and the shares of pixels that were certain in them. */
export interface TrainedGamma {
  readonly gamma: number;
  readonly deviation: number;
  readonly steps: number;
  readonly certain: readonly number[];
}

/** From the log of a run; null where no step solved for γ. */
export async function trainedGamma({
  folder,
  config,
}: Pick<TrainedRun, "folder" | "config">): Promise<TrainedGamma | null> {
  const text = await readFile(join(folder, runFiles.log), "utf8").catch(() => "");
  const trace = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { gamma?: number; certain?: number })
    .filter(({ gamma }) => gamma !== undefined);
  // A third of a short training at most, as γ still travels before, and of a curriculum its last place alone.
  const lastStage = stagesOf(config).at(-1)!.steps;
  const last = trace.slice(-Math.min(STEPS, lastStage, Math.ceil(trace.length / 3)));
  if (last.length === 0) return null;
  const gamma = last.reduce((total, one) => total + one.gamma!, 0) / last.length;
  const variance = last.reduce((total, one) => total + (one.gamma! - gamma) ** 2, 0) / last.length;
  const certain = last.flatMap((one) => (one.certain === undefined ? [] : [one.certain]));
  return { gamma, deviation: Math.sqrt(variance), steps: last.length, certain };
}
