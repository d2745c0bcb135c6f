import type { Value } from "../../../engine/graph/value.js";
import { add, log, maximum, number, sub } from "../../../engine/ops/elementwise.js";
import { argmax, logSumExp, softmax } from "../../../engine/ops/reduce.js";
import { concat, reshape, stretchTo } from "../../../engine/ops/shaping.js";
import type { Score } from "../score.js";
import { confidence, isCertain, sharpened, TEMPERATURE } from "../segmentation.js";

/** p(y|x) over the known classes, σ_τ(s) (Eq. 3): [N, K, H, W]. */
export const classProbabilities = (sharp: Value): Value => softmax(sharp, 1);

/**
 * p(y|x) with γ as one more score, σ_τ(s ⊕ γ) (Eq. 4): [N, K + 1, H, W]; the last is the probability of no known class.
 *
 * Where γ is a probability instead of a similarity, the score that stands for it is that of a class with γ times the known classes'
 * weight together. Either way the last class is the largest exactly where M_γ is 0, but for ties, which are certain.
 */
export function probabilitiesWithUnknown(sharp: Value, gamma: Value, score: Score, temperature: number): Value {
  const [n, , h, w] = sharp.shape as [number, number, number, number];
  const last =
    score === "cosine"
      ? stretchTo(reshape(sharpened(gamma, temperature), [1, 1, 1, 1]), [n, 1, h, w])
      : add(logSumExp(sharp, [1]), reshape(log(maximum(gamma, number(0))), [1, 1, 1, 1]));
  return softmax(concat([sharp, last], 1), 1);
}

/** What a prediction says about every pixel; all [N, H, W] but the last. */
export interface Segmentation {
  /** int64: the nearest prototype's class. */
  readonly predicted: Value;
  /** max(s), the cosine similarity to it. */
  readonly similarity: Value;
  /** Grows as certainty falls: 1 - max(s), or 1 - max σ_τ(s). */
  readonly uncertainty: Value;
  /** bool: M_γ. */
  readonly certain: Value;
  /** [N, K + 1, H, W]: the distribution of Eq. 4. */
  readonly probabilities: Value;
}

/** Prototype segmentation of sharpened scores at full size: Eq. 3 to 5 in one go. `gamma` is a scalar in units of the score. */
export function segmentation(sharp: Value, gamma: Value, score: Score, temperature = TEMPERATURE): Segmentation {
  const sure = confidence(sharp, score, temperature);
  return {
    predicted: argmax(sharp, 1),
    similarity: confidence(sharp, "cosine", temperature),
    uncertainty: sub(number(1), sure),
    certain: isCertain(sure, gamma),
    probabilities: probabilitiesWithUnknown(sharp, gamma, score, temperature),
  };
}
