import type { Value } from "../../engine/graph/value.js";
import { mul } from "../../engine/ops/elementwise.js";
import { argmax } from "../../engine/ops/reduce.js";
import type { GammaOptions } from "./options.js";
import { confidence, confidenceIn, peak } from "./segmentation.js";

/** Which class every pixel has, int64, and how sure a model is of it, larger is surer: both [N, H, W]. */
export interface Answer {
  readonly predicted: Value;
  readonly sure: Value;
}

/**
 * The answer of both branches: sharpened similarities to prototypes and scores of the head, [N, K, H, W] at the same places. One of them
 * names the class, whoever the options say.
 *
 * Prototypes say how sure of it one can be. With the score "both" the head is heard as well: what is left is the chance that
 * both would draw this class, so either can doubt it.
 */
export function answerOf(
  sharp: Value,
  logits: Value,
  { classFrom, score, temperature }: Pick<GammaOptions, "classFrom" | "score" | "temperature">,
): Answer {
  if (classFrom === "head") {
    const predicted = argmax(logits, 1);
    const byPrototypes = confidenceIn(predicted, sharp, score, temperature);
    return { predicted, sure: score === "both" ? mul(byPrototypes, peak(logits)) : byPrototypes };
  }
  const predicted = argmax(sharp, 1);
  const byPrototypes = confidence(sharp, score, temperature);
  // A head's scores are probabilities at temperature 1.
  return {
    predicted,
    sure: score === "both" ? mul(byPrototypes, confidenceIn(predicted, logits, "softmax", 1)) : byPrototypes,
  };
}
