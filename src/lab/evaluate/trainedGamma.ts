import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runFiles } from "../train/runFiles.js";

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
export async function trainedGamma(runFolder: string): Promise<TrainedGamma | null> {
  const text = await readFile(join(runFolder, runFiles.log), "utf8").catch(() => "");
  const trace = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { gamma?: number; certain?: number })
    .filter(({ gamma }) => gamma !== undefined);
  // A third of a short training at most: γ still travels before.
  const last = trace.slice(-Math.min(STEPS, Math.ceil(trace.length / 3)));
  if (last.length === 0) return null;
  const gamma = last.reduce((total, one) => total + one.gamma!, 0) / last.length;
  const variance = last.reduce((total, one) => total + (one.gamma! - gamma) ** 2, 0) / last.length;
  const certain = last.flatMap((one) => (one.certain === undefined ? [] : [one.certain]));
  return { gamma, deviation: Math.sqrt(variance), steps: last.length, certain };
}
