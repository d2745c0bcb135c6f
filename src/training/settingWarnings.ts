import type { DatasetCheck } from "../data/datasets/checkDataset.js";
import { UserError } from "../platform/errors.js";
import type { TrainConfig } from "../runs/config.js";
import { totalSteps } from "../runs/extended.js";

/** AdamW, which every training uses, diverges above this on all networks of ours. */
const HIGHEST_RATE = 0.01;
/** Scaled up by more than this, an image is mostly invented. */
const MOST_ENLARGED = 2;

type Sizes = Pick<DatasetCheck, "sizes">;

/** Settings that are allowed but hardly meant, in sentences: to be read before the first step. */
export function settingWarnings(config: TrainConfig, { sizes }: Sizes): string[] {
  const warnings: string[] = [];
  const rate = config.method === "supervised" ? config.learningRate : config.options.training.learningRate;
  if (rate > HIGHEST_RATE) {
    warnings.push(`a learning rate of ${rate} is far above what trains well with AdamW: 0.0001 to 0.001`);
  }
  const { height, crop } = config.view;
  if (crop[0] > height) {
    const share = (100 * (1 - height / crop[0])).toFixed(0);
    warnings.push(`views are ${crop[0]} pixels high and images ${height}: about ${share} % of each view is padding`);
  }
  const commonest = sizes[0];
  if (commonest !== undefined && height > MOST_ENLARGED * commonest.height) {
    warnings.push(`images are ${commonest.height} pixels high and scaled up to ${height}, which shows nothing more`);
  }
  return warnings;
}

/** A training of no steps is refused, but for one that takes over the weights of another and is itself an ablation. */
export function requireSteps(config: TrainConfig): void {
  if (totalSteps(config) > 0 || config.weights !== null) return;
  throw new UserError("there is no step to train: pretraining and adaptation are both 0", {
    hint: "give --steps, or --pretraining",
    code: "bad-option",
  });
}
