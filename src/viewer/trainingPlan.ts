import { cityWeights } from "../experiments/demo.js";
import { type GammaConfig, resolveConfig } from "../runs/config.js";

const drawn = (place: string, split: string, count: number): string =>
  `scenes:${place}?split=${split}&count=${count}&seed=25&height=128&width=256`;

/**
 * The training of the page's training view: that of the demo (profile `small`), with fewer steps and smaller batches, so that it takes a
 * minute or two in a browser. Chosen on scenes of seed 0 and 1; experiments/speed.md has what it gives.
 */
export const trainingPlan = {
  config: resolveConfig({
    method: "gamma-ssl",
    source: drawn("city", "train", 96),
    targets: [drawn("dusk", "train", 96)],
    view: { height: 128, crop: [112, 208], scale: [0.9, 1.5] },
    options: {
      network: { width: 0.5, features: 96 },
      batch: { source: 3, prototype: 3, target: 3 },
      training: { learningRate: 0.0003, pretraining: 0, adaptation: 150 },
    },
  }) as GammaConfig,
  test: drawn("dusk", "test", 16),
  weights: cityWeights,
} as const;
