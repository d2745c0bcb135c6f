import type { Value } from "../../engine/graph/value.js";
import { argmax } from "../../engine/ops/reduce.js";
import type { GammaOptions } from "./options.js";
import { confidence, confidenceIn } from "./segmentation.js";

/** Which class every pixel has, int64, and how sure a model is of it, larger is surer: both [N, H, W]. */
export interface Answer {
  readonly predicted: Value;
  readonly sure: Value;
}

/**
 * The answer of both branches: sharpened similarities to prototypes and scores of the head, [N, K, H, W] at the same places. One of them
 * names the class, whoever the options say; prototypes say how sure of it one can be.
 */
export function answerOf(
  sharp: Value,
  logits: Value,
  { classFrom, score, temperature }: Pick<GammaOptions, "classFrom" | "score" | "temperature">,
): Answer {
  if (classFrom === "prototypes") return { predicted: argmax(sharp, 1), sure: confidence(sharp, score, temperature) };
  const predicted = argmax(logits, 1);
  return { predicted, sure: confidenceIn(predicted, sharp, score, temperature) };
}
