import { type GammaConfig, resolveConfig } from "../train/config.js";

/** Pictures of one size, small enough for minutes on two cores; so small that seven categories are all one can tell. */
const drawn = (place: string, split: string, count: number): string =>
  `scenes:${place}?split=${split}&count=${count}&seed=0&height=64&width=128&classes=categories`;

/** Where the demo's network is tested: a place it has seen without labels. */
export const demoTest = drawn("forest", "test", 60);

/** What the demo compares with γ-SSL; none of them costs a further training. */
export const demoMethods = ["gamma-ssl", "no-ssl", "max-softmax", "mahalanobis", "vim"] as const;

/** The demo's training: the labelled city, then the forest without labels. experiments/scenes has the longer version. */
export function demoConfig(seed: number): GammaConfig {
  const config = resolveConfig({
    method: "gamma-ssl",
    source: drawn("city", "train", 240),
    targets: [drawn("forest", "train", 160)],
    // Colour is most of what separates the drawn places: stronger jitter on the source would teach the difference away beforehand.
    view: { height: 64, crop: [64, 128], colour: { disturb: false, jitter: { hue: 0.08 } } },
    options: {
      network: { width: 0.25, features: 48 },
      batch: { source: 8, prototype: 8, target: 16 },
      training: { learningRate: 0.003, pretraining: 480, adaptation: 320 },
    },
    seed,
  });
  return config as GammaConfig;
}
