import { mul, sub } from "../../engine/ops/elementwise.js";
import { logSumExp, softmax, sum } from "../../engine/ops/reduce.js";
import { squeeze } from "../../engine/ops/shaping.js";
import type { OnePassMethod } from "../parts/method.js";

/** Entropy of the class probabilities in nats: log Σ e^s - Σ p s. */
export const entropy: OnePassMethod = {
  name: "entropy",
  title: "Entropy",
  family: "further",
  network: "source",
  quick: true,
  kind: "one-pass",
  score: ({ scores, predicted }) => {
    const expected = sum(mul(softmax(scores, 1), scores), [1]);
    return { predicted, uncertainty: sub(squeeze(logSumExp(scores, [1]), 1), expected) };
  },
};
