import type { Value } from "../../engine/graph/value.js";
import { argmax } from "../../engine/ops/reduce.js";
import type { GammaOptions } from "./options.js";
import { confidence, peak } from "./segmentation.js";

/** Which class every pixel has, int64, and how sure the model is of it, larger is surer: both [N, H, W]. */
export interface GammaPrediction {
  readonly predicted: Value;
  readonly confidence: Value;
}

/** What a prediction depends on: the branch that learned from L_c, and the score that γ was solved on. */
export type PredictionOptions = Pick<GammaOptions, "branches" | "score" | "temperature">;

/**
 * The deployed prediction (Fig. 2): the nearest prototype's class and the similarity to it. In Sym-Param the head is the query, so the
 * head predicts; its scores know no bounds, so its confidence is its largest probability.
 *
 * `sharp` are similarities divided by τ, `logits` scores of the head at temperature 1; both [N, K, H, W], and only one is looked at.
 */
export function gammaPrediction(
  { branches, score, temperature }: PredictionOptions,
  { sharp, logits }: { sharp(): Value; logits(): Value },
): GammaPrediction {
  if (branches.query === "head") {
    const scores = logits();
    return { predicted: argmax(scores, 1), confidence: peak(scores) };
  }
  const scores = sharp();
  return { predicted: argmax(scores, 1), confidence: confidence(scores, score, temperature) };
}
