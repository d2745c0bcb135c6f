import type { Value } from "../../engine/graph/value.js";
import { minimum } from "../../engine/ops/elementwise.js";
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
 * names the class, whoever the options say; prototypes say how sure of it one can be, or the less sure of both.
 */
export function answerOf(
  sharp: Value,
  logits: Value,
  { classFrom, score, temperature }: Pick<GammaOptions, "classFrom" | "score" | "temperature">,
): Answer {
  const byHead = classFrom === "head";
  const predicted = argmax(byHead ? logits : sharp, 1);
  const ofPrototypes = byHead
    ? confidenceIn(predicted, sharp, score, temperature)
    : confidence(sharp, score, temperature);
  if (score !== "lesser") return { predicted, sure: ofPrototypes };
  const ofHead = byHead ? peak(logits) : confidenceIn(predicted, logits, score, 1);
  return { predicted, sure: minimum(ofPrototypes, ofHead) };
}
