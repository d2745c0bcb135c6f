import type { Value } from "../../engine/graph/value.js";
import {
  add,
  clip,
  div,
  exp,
  filled,
  log,
  maximum,
  mul,
  neg,
  number,
  scale,
  sub,
} from "../../engine/ops/elementwise.js";
import { matmul } from "../../engine/ops/matmul.js";
import { argmax, max, mean, softmax } from "../../engine/ops/reduce.js";
import { reshape, slice } from "../../engine/ops/shaping.js";
import { DECODER_STRIDE, upsampleScores } from "../../networks/models/deeplab.js";
import type { Average } from "../parts/baselineOptions.js";

/** What several segmentations of one image say together; all [1, H, W]. */
export interface Disagreement {
  /** int64 */
  readonly predicted: Value;
  /** PE, the entropy of the mean probabilities: how unsure they are together. */
  readonly predictiveEntropy: Value;
  /** MI, what PE has beyond the mean entropy of each alone: how much they differ. Never negative. */
  readonly mutualInformation: Value;
}

/** Below this a probability adds nothing to an entropy; log 0 would make it NaN. */
const LEAST = 1e-38;
/** A class so far below the best one (in nats) has no probability that float32 could hold beside it. */
const HOPELESS = 80;

/**
 * Predictive entropy and mutual information of several draws, in nats (Gal, 2016; B-2): p̄ = (1/T) Σ p_t,
 * PE = -Σ p̄ log p̄, MI = PE - (1/T) Σ H[p_t].
 *
 * logits [T, K, h, w], one row for each draw. Draws are enlarged one by one: together they would take T times the memory.
 */
export function disagreement(logits: Value, average: Average): Disagreement {
  // Softmax is unchanged by what is taken off all classes alike, and enlarging is linear: the largest score is taken off
  // here, at a sixteenth of the pixels, and with the rest cut off no exponential can overflow or all of them vanish.
  const below = clip(sub(logits, max(logits, [1], { keep: true })), -HOPELESS, 0);
  const rows = Array.from({ length: logits.shape[0]! }, (_, t) => slice(below, 0, t, t + 1));
  const draws = rows.map((row) => drawOf(upsampleScores(row), rows.length));
  const together = draws.map(({ share }) => share).reduce(add);
  const alone = scale(draws.map(({ entropy }) => entropy).reduce(add), 1 / rows.length);
  const entropy = entropyOf(together);
  const full = logits.shape.slice(2).map((extent) => extent * DECODER_STRIDE);
  const map = (values: Value): Value => reshape(values, [1, ...full]);
  const mutualInformation = map(maximum(sub(entropy, alone), number(0)));
  if (average === "probabilities") {
    return { predicted: map(argmax(together, 1)), predictiveEntropy: map(entropy), mutualInformation };
  }
  const scores = upsampleScores(mean(logits, [0], { keep: true }));
  const predictiveEntropy = map(entropyOf(pixelRows(softmax(scores, 1))));
  return { predicted: argmax(scores, 1), predictiveEntropy, mutualInformation };
}

/** One draw [1, K, H, W]: its probabilities as a share of all draws [1, K, P], and its entropy log Σ e^s - Σ p s [1, 1, P]. */
function drawOf(scores: Value, draws: number): { readonly share: Value; readonly entropy: Value } {
  const rows = pixelRows(scores);
  const weights = exp(rows);
  const total = overClasses(weights);
  return {
    share: mul(weights, div(number(1 / draws), total)),
    entropy: sub(log(total), div(overClasses(mul(weights, rows)), total)),
  };
}

/** -Σ p log p over classes: [1, K, P] -> [1, 1, P] */
const entropyOf = (p: Value): Value => neg(overClasses(mul(p, log(maximum(p, number(LEAST))))));

/** [1, K, H, W] -> [1, K, P] */
function pixelRows(x: Value): Value {
  const [n, k, h, w] = x.shape as [number, number, number, number];
  return reshape(x, [n, k, h * w]);
}

/** Sums over classes, as a product with ones: half the time of the runtime's own sum along that axis. */
const overClasses = (x: Value): Value => matmul(filled([1, 1, x.shape[1]!], 1), x);
