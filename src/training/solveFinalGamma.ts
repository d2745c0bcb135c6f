import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { deployable } from "../inference/deployable.js";
import { DeployedImages } from "../inference/deployedImages.js";
import { gammaForConsistent } from "../inference/gammaForConsistent.js";
import { viewSketches } from "../inference/viewSketches.js";
import { readFinalGamma, solvesFinalGamma, writeFinalGamma } from "../runs/finalGamma.js";
import { fingerprintOf } from "../runs/fingerprint.js";
import type { TrainedRun } from "../runs/openRun.js";

/** Images of the target, evenly spread, and pairs of views of each. */
const [IMAGES, VIEWS] = [100, 2];

export interface FinalGammaRequest {
  readonly runtime: Runtime;
  readonly run: TrainedRun;
  readonly source: Dataset;
  /** The unlabelled images that the training ended with. */
  readonly target: Dataset;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/**
 * The last stage of a training: solve for γ and keep it in the run folder. Does nothing where that has been done, or where the options
 * do not want it.
 *
 * γ of the last steps belongs to prototypes of a batch and to views as L_c draws them. Deployed, prototypes are those of the whole source
 * and images are plain.
 */
export async function solveFinalGamma({ runtime, run, source, target, onProgress }: FinalGammaRequest): Promise<void> {
  const weights = fingerprintOf(run.weights);
  if (!solvesFinalGamma(run.config) || (await readFinalGamma(run.folder))?.weights === weights) return;
  const ready = await deployable(runtime, run, source, onProgress);
  const images = { ...target, items: evenlySpread(target.items, IMAGES) };
  const telling = (done: number, total: number): void => onProgress?.("comparing views", done, total);
  const set = await viewSketches(runtime, ready, images, { views: VIEWS, seed: run.config.seed, onProgress: telling });
  const whole = await DeployedImages.open({ runtime, deployable: ready, images, ...(onProgress && { onProgress }) });
  try {
    const { gamma, consistent } = await gammaForConsistent(set, whole);
    const [certain] = await whole.certainShares([gamma]);
    await writeFinalGamma(run.folder, { version: 2, gamma, consistent, certain: certain!, weights });
  } finally {
    await whole.close();
  }
}
