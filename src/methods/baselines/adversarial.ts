import { gradients } from "../../engine/autodiff/gradients.js";
import { constant, type Value } from "../../engine/graph/value.js";
import { div, log, neg, scale, sign } from "../../engine/ops/elementwise.js";
import { max, mean, softmax } from "../../engine/ops/reduce.js";
import { float32, floats, type HostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import type { NetworkOutputs, Scorer } from "../scorer.js";
import { distanceToNearest, mahalanobisScorer } from "./mahalanobis.js";
import { maxSoftmax } from "./maxSoftmax.js";

/**
 * A method that scores a picture changed a little to lower the network's uncertainty: pixels like those of the source gain more
 * certainty by it than strange ones. The class stays that of the untouched picture.
 */
export interface Adversary {
  readonly name: string;
  /** The number that a step lowers: how unsure the network is of the whole picture. */
  objective(answers: NetworkOutputs): Value;
  /** How the changed picture is scored. */
  readonly scorer: Scorer;
}

/** Step sizes to try for ODIN: 21 from 0 to 0.004, in units of the picture before it is normalised (Liang et al., 2018). */
export const ODIN_STEPS = Array.from({ length: 21 }, (_, i) => (i * 0.004) / 20);
/** T and ε of the baseline of SegmentMeIfYouCan, which is about segmentation. */
export const SMIYC = { temperature: 3, epsilon: 1e-4 } as const;
/** Step sizes to try for the Mahalanobis distance (Lee et al., 2018). */
export const MAHALANOBIS_STEPS = [0, 0.0005, 0.001, 0.0014, 0.002, 0.005, 0.01] as const;

/** Softmax_A: ODIN (Liang et al., 2018; B-6). The objective is the mean over pixels of -log max σ(s / T). */
export const odin = ({ temperature }: { readonly temperature: number }): Adversary => ({
  name: "odin",
  objective: ({ scores }) => neg(mean(log(max(softmax(scale(scores, 1 / temperature), 1), [1])))),
  scorer: maxSoftmax({ temperature, name: "odin" }),
});

/** FeatDist_A: the Mahalanobis distance on a picture moved towards the nearest class (Lee et al., 2018; B-8). */
export const mahalanobisAdversary = (learned: Tensors): Adversary => ({
  name: "mahalanobis-a",
  objective: ({ features }) => mean(distanceToNearest(features, learned)),
  scorer: mahalanobisScorer("mahalanobis-a", learned),
});

/**
 * Which way each number of the images must go for the objective to rise, in units of the pictures before they were normalised:
 * sign ∇ objective / σ. `images` are what `answers` were made from; `deviation` is what each channel was divided by.
 */
export function rising(images: Value, objective: Value, deviation: readonly number[]): Value {
  const [slope] = gradients(objective, [images]);
  return div(sign(slope!), constant(float32([1, deviation.length, 1, 1], deviation)));
}

/** x̃ = x - ε · rising */
export function changed(images: HostTensor, direction: HostTensor, epsilon: number): HostTensor {
  const towards = floats(direction, "direction");
  return float32(
    images.shape,
    floats(images, "images").map((value, i) => value - epsilon * towards[i]!),
  );
}
