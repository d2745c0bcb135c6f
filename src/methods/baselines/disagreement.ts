import type { Value } from "../../engine/graph/value.js";
import { add, log, maximum, mul, neg, number, scale, sub } from "../../engine/ops/elementwise.js";
import { argmax, softmax, sum } from "../../engine/ops/reduce.js";
import { slice } from "../../engine/ops/shaping.js";
import { upsampleScores } from "../../networks/models/deeplab.js";

/** What is averaged before the most likely class is taken: probabilities, or scores as the authors' tester does (B-2). */
export type Average = "probabilities" | "logits";

/** What several segmentations of one image say together; all [1, H, W]. */
export interface Disagreement {
  /** int64 */
  readonly predicted: Value;
  /** PE, the entropy of the mean probabilities: how unsure they are together. */
  readonly predictiveEntropy: Value;
  /** MI, what PE has beyond the mean entropy of each alone: how much they differ. Never negative. */
  readonly mutualInformation: Value;
}

/** Below this a probability adds nothing to an entropy; log 0 would make it NaN. */
const LEAST = 1e-38;

/**
 * Predictive entropy and mutual information of several draws, in nats (Gal, 2016; B-2): p̄ = (1/T) Σ p_t,
 * PE = -Σ p̄ log p̄, MI = PE - (1/T) Σ H[p_t].
 *
 * logits [T, K, h, w], one row for each draw. Draws are enlarged one by one: together they would take T times the memory.
 */
export function disagreement(logits: Value, average: Average): Disagreement {
  const draws = Array.from({ length: logits.shape[0]! }, (_, t) => upsampleScores(slice(logits, 0, t, t + 1)));
  const mean = (values: readonly Value[]): Value => scale(values.reduce(add), 1 / values.length);
  const probabilities = draws.map((scores) => softmax(scores, 1));
  const together = mean(probabilities);
  const apart = mean(probabilities.map(entropyOf));
  const entropy = entropyOf(together);
  const mutualInformation = maximum(sub(entropy, apart), number(0));
  if (average === "probabilities") {
    return { predicted: argmax(together, 1), predictiveEntropy: entropy, mutualInformation };
  }
  const scores = mean(draws);
  return { predicted: argmax(scores, 1), predictiveEntropy: entropyOf(softmax(scores, 1)), mutualInformation };
}

/** -Σ p log p over classes: [1, K, H, W] -> [1, H, W] */
const entropyOf = (p: Value): Value => neg(sum(mul(p, log(maximum(p, number(LEAST)))), [1]));
