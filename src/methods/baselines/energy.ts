import { scale } from "../../engine/ops/elementwise.js";
import { argmax, logSumExp } from "../../engine/ops/reduce.js";
import { reshape } from "../../engine/ops/shaping.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import type { Scorer } from "../scorer.js";

/** Free energy of the class scores, -log Σ e^s (Liu et al., 2020). */
export const energy: Scorer = {
  name: "energy",
  score: ({ logits }) => {
    const scores = upsampleScores(logits);
    const [n, , h, w] = scores.shape as [number, number, number, number];
    return { predicted: argmax(scores, 1), uncertainty: reshape(scale(logSumExp(scores, [1]), -1), [n, h, w]) };
  },
};
