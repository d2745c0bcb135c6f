import { scale } from "../../engine/ops/elementwise.js";
import { logSumExp } from "../../engine/ops/reduce.js";
import { reshape } from "../../engine/ops/shaping.js";
import type { Scorer } from "../scorer.js";

/** Free energy of the class scores, -log Σ e^s (Liu et al., 2020). */
export const energy: Scorer = {
  name: "energy",
  score: ({ scores, predicted }) => ({
    predicted,
    uncertainty: reshape(scale(logSumExp(scores, [1]), -1), predicted.shape),
  }),
};
