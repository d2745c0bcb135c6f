import type { Value } from "../../engine/graph/value.js";
import { minimum } from "../../engine/ops/elementwise.js";
import { argmax, softmax } from "../../engine/ops/reduce.js";
import type { GammaOptions } from "./options.js";
import { atClass, confidence, confidenceIn } from "./segmentation.js";

/** Scores of a branch at the size of the embeddings, [N, K, h, w], and at that of the images, [N, K, H, W]. */
export interface Sized {
  readonly small: Value;
  readonly full: Value;
}
export const sized = (small: Value, enlarge: (maps: Value) => Value): Sized => ({ small, full: enlarge(small) });

/** Which class every pixel has, int64, and how sure a model is of it, larger is surer: both [N, H, W]. */
export interface Answer {
  readonly predicted: Value;
  readonly sure: Value;
}

/**
 * The answer of both branches: sharpened similarities to prototypes, and scores of the head. One of them names the class, whoever the options
 * say; prototypes say how sure of it one can be, or both do.
 *
 * The lesser probability of both is taken where they are found, for each class, and then enlarged: a pixel between two classes is half as sure of
 * either, and a network that is deployed has no exponentials to take at full size.
 */
export function answerOf(
  { sharp, logits, enlarge }: { readonly sharp: Sized; readonly logits: Sized; enlarge(maps: Value): Value },
  { classFrom, score, temperature }: Pick<GammaOptions, "classFrom" | "score" | "temperature">,
): Answer {
  const byHead = classFrom === "head";
  const predicted = argmax(byHead ? logits.full : sharp.full, 1);
  const sure = (): Value => {
    if (score === "lesser") {
      return atClass(enlarge(minimum(softmax(sharp.small, 1), softmax(logits.small, 1))), predicted);
    }
    return byHead
      ? confidenceIn(predicted, sharp.full, score, temperature)
      : confidence(sharp.full, score, temperature);
  };
  return { predicted, sure: sure() };
}
