import type { Value } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import {
  add,
  cast,
  div,
  exp,
  greaterOrEqual,
  log,
  maximum,
  number,
  scale,
  shift,
  sub,
} from "../../engine/ops/elementwise.js";
import { argmax, logSumExp, max, softmax, sum } from "../../engine/ops/reduce.js";
import { concat, reshape, stretchTo, transpose } from "../../engine/ops/shaping.js";
import type { Prototypes } from "./prototypes.js";
import type { Score } from "./score.js";

/** τ of the paper: what scores are divided by before a softmax. */
export const TEMPERATURE = 0.07;

/**
 * Similarity to a class that has no prototype. Cosines are at least -1, so such a class is never predicted; and it is finite,
 * so that a head which believes in the class costs a finite loss.
 */
const NEVER = -2;

/** Cosine similarity of every pixel to every prototype (Eq. 2): embeddings [N, F, h, w] -> s̃ [N, K, h, w]. */
export function similarities(embeddings: Value, { vectors, seen }: Prototypes): Value {
  const [f, k] = vectors.shape as [number, number];
  return amongSeen(conv2d(embeddings, reshape(transpose(vectors, [1, 0]), [k, f, 1, 1])), seen);
}

/** Products with prototypes [N, K, h, w], where classes without one [K] are never the largest. */
export function amongSeen(products: Value, seen: Value): Value {
  const unseen = scale(shift(cast(seen, "float32"), -1), -NEVER); // 0, or NEVER: columns of zeros have product 0
  return add(products, reshape(unseen, [1, seen.shape[0]!, 1, 1]));
}

/**
 * Scores divided by their temperature.
 *
 * Done at the size of the embeddings, which is a sixteenth of the pixels; resizing is linear, so nothing else changes. All
 * functions below take scores sharpened like this, at any size: [N, K, H, W].
 */
export const sharpened = (scores: Value, temperature: number): Value => scale(scores, 1 / temperature);

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

/** The largest class probability of every pixel, max σ_τ(s): [N, H, W]. */
export function peak(sharp: Value): Value {
  // Relative to the largest, whose own share is then 1.
  return div(number(1), sum(exp(sub(sharp, max(sharp, [1], { keep: true }))), [1]));
}

/** How sure prototypes are of each pixel, larger is surer: max(s) itself, or max σ_τ(s). [N, H, W] */
export const confidence = (sharp: Value, score: Score, temperature: number): Value =>
  score === "cosine" ? scale(max(sharp, [1]), temperature) : peak(sharp);

/** M_γ (Eq. 5): certain where no known class is beaten by γ; a tie is certain. bool [N, H, W] */
export const isCertain = (sure: Value, gamma: Value): Value => greaterOrEqual(sure, gamma);

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
