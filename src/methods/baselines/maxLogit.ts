import { scale } from "../../engine/ops/elementwise.js";
import { argmax, max } from "../../engine/ops/reduce.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import type { Scorer } from "../scorer.js";

/** The largest class score, turned round (Hendrycks et al., 2022): unlike a probability, it knows when all scores are low. */
export const maxLogit: Scorer = {
  name: "max-logit",
  score: ({ logits }) => {
    const scores = upsampleScores(logits);
    return { predicted: argmax(scores, 1), uncertainty: scale(max(scores, [1]), -1) };
  },
};
