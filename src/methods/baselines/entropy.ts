import { mul, sub } from "../../engine/ops/elementwise.js";
import { logSumExp, softmax, sum } from "../../engine/ops/reduce.js";
import { squeeze } from "../../engine/ops/shaping.js";
import type { Scorer } from "../scorer.js";

/** Entropy of the class probabilities in nats: log Σ e^s - Σ p s. */
export function entropy({ name = "entropy" }: { readonly name?: string } = {}): Scorer {
  return {
    name,
    score: ({ scores, predicted }) => {
      const expected = sum(mul(softmax(scores, 1), scores), [1]);
      return { predicted, uncertainty: sub(squeeze(logSumExp(scores, [1]), 1), expected) };
    },
  };
}
