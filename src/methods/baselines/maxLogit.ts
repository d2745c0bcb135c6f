import { scale } from "../../engine/ops/elementwise.js";
import { max } from "../../engine/ops/reduce.js";
import type { OnePassMethod } from "../parts/method.js";

/** Minus the largest class score (Hendrycks et al., 2022): unlike a probability, it shows when all scores are low. */
export const maxLogit: OnePassMethod = {
  name: "max-logit",
  title: "MaxLogit",
  family: "further",
  network: "source",
  quick: true,
  kind: "one-pass",
  score: ({ scores, predicted }) => ({ predicted, uncertainty: scale(max(scores, [1]), -1) }),
};
