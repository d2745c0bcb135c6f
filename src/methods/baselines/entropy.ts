import { mul, sub } from "../../engine/ops/elementwise.js";
import { argmax, logSumExp, softmax, sum } from "../../engine/ops/reduce.js";
import { reshape } from "../../engine/ops/shaping.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import type { Scorer } from "../scorer.js";

/** Entropy of the class probabilities in nats: log Σ e^s - Σ p s. */
export const entropy: Scorer = {
  name: "entropy",
  score: ({ logits }) => {
    const scores = upsampleScores(logits);
    const [n, , h, w] = scores.shape as [number, number, number, number];
    const expected = sum(mul(softmax(scores, 1), scores), [1]);
    const total = reshape(logSumExp(scores, [1]), [n, h, w]);
    return { predicted: argmax(scores, 1), uncertainty: sub(total, expected) };
  },
};
