import type { Dataset } from "../../data/datasets/dataset.js";
import { evenlySpread } from "../../data/datasets/evenlySpread.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { readFinalGamma, solvesFinalGamma, writeFinalGamma } from "../../runs/finalGamma.js";
import { fingerprintOf } from "../../runs/fingerprint.js";
import type { TrainedRun } from "../../runs/openRun.js";
import { deployable } from "../export/deployment.js";
import { DeployedImages } from "./deployedImages.js";
import { gammaForConsistent } from "./gammaForConsistent.js";
import { viewSketches } from "./viewSketches.js";

/** Images of the target looked at, evenly spread, and pairs of views of each. */
const [IMAGES, VIEWS] = [100, 2];

export interface SettleRequest {
  readonly runtime: Runtime;
  readonly run: TrainedRun;
  readonly source: Dataset;
  /** The unlabelled images that the training ended with. */
  readonly target: Dataset;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/**
 * Solve for γ when a training is over, and keep it in its folder; nothing to do where that has been done, or is not wanted.
 *
 * γ of the last steps belongs to prototypes of a batch and to views as L_c draws them. Deployed, prototypes are those of the whole source
 * and images are plain.
 */
export async function solveFinalGamma({ runtime, run, source, target, onProgress }: SettleRequest): Promise<void> {
  const weights = fingerprintOf(run.weights);
  if (!solvesFinalGamma(run.config) || (await readFinalGamma(run.folder))?.weights === weights) return;
  const ready = await deployable(runtime, run, source, onProgress);
  const images = { ...target, items: evenlySpread(target.items, IMAGES) };
  const telling = (done: number, total: number): void => onProgress?.("comparing views", done, total);
  const set = await viewSketches(runtime, ready, images, {
    views: VIEWS,
    seed: run.config.seed,
    onProgress: telling,
  });
  const whole = await DeployedImages.open({
    runtime,
    deployable: ready,
    source,
    images,
    ...(onProgress && { onProgress }),
  });
  try {
    const { gamma, consistent } = await gammaForConsistent(set, whole);
    const [certain] = await whole.certainShares([gamma]);
    await writeFinalGamma(run.folder, { version: 2, gamma, consistent, certain: certain!, weights });
  } finally {
    await whole.model.close();
  }
}
