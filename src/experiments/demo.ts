import { fileURLToPath } from "node:url";
import { type GammaConfig, resolveConfig } from "../runs/config.js";

/** Drawn images: large enough to be looked at, small enough for minutes on two cores. */
const drawn = (place: string, split: string, count: number, seed: number): string =>
  `scenes:${place}?split=${split}&count=${count}&seed=${seed}&height=128&width=256`;

/** Where the demo's network is tested: the city at dusk, which it has seen without labels. Settings were never tuned on images of this seed. */
export const demoTest = drawn("dusk", "test", 60, 101);

/** What the demo compares with γ-SSL; none of them costs a further training. */
export const demoMethods = ["gamma-ssl", "no-ssl", "max-softmax", "mahalanobis", "vim"] as const;

/** A network pre-trained on the drawn city, shipped with the package; experiments/scenes/city.json has the settings that made it. */
export const cityWeights = fileURLToPath(new URL("../../assets/city.safetensors", import.meta.url));

const network = { width: 0.5, features: 96 };
const view = { height: 128, crop: [112, 208], scale: [0.9, 1.5] };
const batch = { source: 8, prototype: 8, target: 8 };

/** The demo's training: a network of the labelled city by day learns its evenings without labels. From scratch, a short pre-training comes first. */
export const demoConfig = (seed: number, { fromScratch }: { readonly fromScratch: boolean }): GammaConfig =>
  resolveConfig({
    method: "gamma-ssl",
    source: drawn("city", "train", 200, 0),
    targets: [drawn("dusk", "train", 200, 101)],
    weights: fromScratch ? null : cityWeights,
    view,
    options: {
      network,
      batch,
      training: { learningRate: 0.0003, pretraining: fromScratch ? 600 : 0, adaptation: 300 },
    },
    seed,
  }) as GammaConfig;
