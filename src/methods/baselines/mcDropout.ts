import type { Value } from "../../engine/graph/value.js";
import { concat } from "../../engine/ops/shaping.js";
import type { HostTensor } from "../../engine/tensor/hostTensor.js";
import { float32 } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { size } from "../../engine/tensor/shape.js";
import { fastInferencePass, type Pass, PassRecorder } from "../../networks/layers/pass.js";
import type { DrawsMethod } from "../parts/method.js";

/** What MC dropout needs of a network: dropout of whole channels somewhere in its features. */
export interface DroppingNetwork {
  features(images: Value, pass: Pass): Value;
  head(features: Value, pass: Pass): Value;
}

/** Whether everything before the first dropout is computed once for all draws, or by each draw again. */
export type Sharing = "cached" | "plain";

/** Several draws, and the noise that decides them. */
export interface Draws {
  /** [T · N, K, h, w]: all images of the first draw, then those of the second, … */
  readonly logits: Value;
  /** Inputs fed with uniform noise in [0, 1). */
  readonly noises: readonly Value[];
}

/**
 * Class scores of images under several draws of dropout (Gal and Ghahramani, 2016; B-1): channels are dropped after the second,
 * third and fourth stage of the encoder, batch norm and everything else is at rest.
 *
 * Stem and first two stages come before any dropout, so that all draws share them: that is exact, and saves most of the work at the
 * largest size. All draws go through the rest as one batch.
 */
export function dropoutDraws(
  network: DroppingNetwork,
  images: Value,
  draws: number,
  sharing: Sharing = "cached",
): Draws {
  const recorder = new PassRecorder();
  const count = images.shape[0]!;
  const repeated = sharing === "plain" ? concat(new Array<Value>(draws).fill(images), 0) : images;
  const pass = {
    ...recorder.draw(sharing === "plain" ? {} : { draws, images: count }),
    learning: fastInferencePass.learning,
  };
  return { logits: network.head(network.features(repeated, pass), pass), noises: recorder.noises };
}

/** Noise for the draws, from a seed. The same thinned networks look at every image: each is one sample of the weights. */
export function dropoutNoise(noises: readonly Value[], seed: number): Record<string, HostTensor> {
  return Object.fromEntries(
    noises.map(({ shape, origin }, i) => {
      const name = "input" in origin ? origin.input : `noise.${i}`;
      const draw = random(seed, "mc-dropout", name);
      return [
        name,
        float32(
          shape,
          Float32Array.from({ length: size(shape) }, () => draw.uniform()),
        ),
      ];
    }),
  );
}

/** The rate of the paper's rows. */
export const PAPER_RATE = 0.2;

/** PE or MI of draws of MC dropout, at each of the rates that were trained and the numbers of draws (B-1). */
const mcDropout = (measure: DrawsMethod["measure"], aliases: readonly string[]): DrawsMethod => ({
  name: `mc-dropout-${measure}`,
  title: `MCD-${measure.toUpperCase()}`,
  aliases,
  family: "epistemic",
  network: { kind: "mc-dropout" },
  obstacle: "it takes several passes, with dropout on",
  kind: "draws",
  measure,
  settings: ({ options: { rates, passes, average } }) =>
    rates.flatMap((rate) => passes.map((draws) => ({ rate, draws, average }))),
});

export const mcDropouts = [mcDropout("pe", ["MCD-PE_0.2", "mc-dropout"]), mcDropout("mi", ["MCD-MI_0.2"])] as const;
