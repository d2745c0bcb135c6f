import { scale } from "../../engine/ops/elementwise.js";
import { max } from "../../engine/ops/reduce.js";
import type { Scorer } from "../scorer.js";

/** The largest class score, turned round (Hendrycks et al., 2022): unlike a probability, it knows when all scores are low. */
export const maxLogit: Scorer = {
  name: "max-logit",
  score: ({ scores, predicted }) => ({ predicted, uncertainty: scale(max(scores, [1]), -1) }),
};
