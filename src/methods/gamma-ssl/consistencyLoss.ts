import type { Value } from "../../engine/graph/value.js";
import { div, exp, maximum, mul, number, stopGradient, sub } from "../../engine/ops/elementwise.js";
import { logSumExp, max, sum } from "../../engine/ops/reduce.js";
import { reshape } from "../../engine/ops/shaping.js";

/**
 * Cross-entropy of two distributions over classes, H[p', p] = -Σ_k p'_k log p_k, for every pixel.
 *
 * Scores [N, K, H, W], already divided by their temperatures -> [N, 1, H, W]. p' is the target and a constant. Since p' adds
 * up to 1, H is log Σ exp(s) less the mean of s under p'; p' itself need not be written out.
 */
function crossEntropyBetween(target: Value, query: Value): Value {
  const fixed = stopGradient(target);
  const share = exp(sub(fixed, max(fixed, [1], { keep: true }))); // p' times a number of each pixel
  const meanScore = div(sum(mul(share, query), [1], { keep: true }), sum(share, [1], { keep: true }));
  return sub(logSumExp(query, [1]), meanScore);
}

/**
 * L_c (Eq. 8): how far the prototype branch (query) is from the head's branch (target), over the pixels that are certain.
 *
 * target and query [N, K, H, W], sharpened and lying on each other; weight [N, H, W] is M_γ, hard or soft. Only the query
 * learns. A batch without a certain pixel has loss 0 and no slope.
 */
export function consistencyLoss(target: Value, query: Value, weight: Value): Value {
  const [n, , h, w] = query.shape as [number, number, number, number];
  const fixed = stopGradient(reshape(weight, [n, 1, h, w]));
  // Weights are 0 or 1, or soft with a largest of 1: their sum is 0 or at least 1.
  return div(sum(mul(crossEntropyBetween(target, query), fixed)), maximum(sum(fixed), number(1)));
}
