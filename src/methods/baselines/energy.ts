import type { Value } from "../../engine/graph/value.js";
import { scale } from "../../engine/ops/elementwise.js";
import { logSumExp } from "../../engine/ops/reduce.js";
import { squeeze } from "../../engine/ops/shaping.js";
import type { OnePassMethod } from "../parts/method.js";

/** -log Σ e^s: scores [N, K, H, W] -> [N, H, W]. */
export const freeEnergy = (scores: Value): Value => squeeze(scale(logSumExp(scores, [1]), -1), 1);

/** Free energy of the class scores (Liu et al., 2020). */
export const energy: OnePassMethod = {
  name: "energy",
  title: "Energy",
  family: "further",
  network: "source",
  quick: true,
  kind: "one-pass",
  score: ({ scores, predicted }) => ({ predicted, uncertainty: freeEnergy(scores) }),
};
