import { constant, type Value } from "../../engine/graph/value.js";
import {
  and,
  cast,
  div,
  equal,
  greater,
  maximum,
  number,
  scale,
  shift,
  stopGradient,
  sub,
  where,
} from "../../engine/ops/elementwise.js";
import { gather } from "../../engine/ops/gather.js";
import { argmax, max, min } from "../../engine/ops/reduce.js";
import { countTrue, kthLargest } from "../../engine/ops/select.js";
import { concat, reshape } from "../../engine/ops/shaping.js";
import { int64 } from "../../engine/tensor/hostTensor.js";
import { isCertain } from "./segmentation.js";

/**
 * Which pixels count as certain, and by how much.
 *
 * `gamma` is the paper's; `none` keeps every pixel (M_{γ=-∞}, section IX-C); `soft` weighs pixels by their largest class
 * probability (section X-A); `per-class` has a threshold for each class (section X-B); `constant` keeps a fixed share of the
 * pixels, however many are consistent.
 */
export type CertaintyRule =
  | { readonly kind: "gamma" | "none" | "soft" | "per-class" }
  | { readonly kind: "constant"; readonly share: number };

/** What the solver knows of every pixel of a batch; all [N, H, W]. */
export interface Pixels {
  /** int64: the class the prototype branch predicts. */
  readonly predicted: Value;
  /** float32: how sure it is, larger is surer. */
  readonly confidence: Value;
  /** float32: its largest class probability, max σ_τ(s). */
  readonly peak: Value;
  /** bool: M_c. */
  readonly consistent: Value;
  /** bool: both views see the image here. Other pixels take no part in anything. */
  readonly valid: Value;
}

/** Answer where no pixel takes part: below every cosine, every probability, and the similarity to a class never seen. */
const NOTHING = -3;
const ONE = constant(int64([], [1]));

/** M_c (Eq. 7): both branches name the same known class. Scores [N, K, H, W] -> bool [N, H, W]; a tie names the lower class. */
export const isConsistent = (target: Value, query: Value): Value => equal(argmax(target, 1), argmax(query, 1));

/**
 * γ (Alg. 1): the confidence above which as many pixels are certain as are consistent.
 *
 * Sorted upwards it is the element at the number of inconsistent pixels, which is the k-th largest for k consistent pixels; it
 * is found by selection, and exact. Where no pixel is consistent it is the largest confidence there is. A constant: nothing
 * flows back.
 */
export function solveGamma({
  confidence,
  consistent,
  valid,
}: Pick<Pixels, "confidence" | "consistent" | "valid">): Value {
  return kthLargest(confidence, valid, maximum(countTrue(and(consistent, valid)), ONE), NOTHING);
}

/** γ that leaves a fixed share of the pixels certain, to the nearest pixel: Alg. 1 with p_c = share. */
function constantGamma({ confidence, valid }: Pick<Pixels, "confidence" | "valid">, share: number): Value {
  const pixels = countTrue(valid);
  const uncertain = cast(shift(scale(cast(pixels, "float32"), 1 - share), 0.5), "int64");
  return kthLargest(confidence, valid, maximum(sub(pixels, uncertain), ONE), NOTHING);
}

/**
 * Γ = [γ_1 … γ_K] (Eq. 12 to 14): in each predicted class as many pixels are certain as are consistent.
 *
 * A class that nothing was predicted as keeps its threshold of `previous` [K].
 */
function solveGammaPerClass({ predicted, confidence, consistent, valid }: Pixels, previous: Value): Value {
  const classes = previous.shape[0]!;
  const solved = Array.from({ length: classes }, (_, id) => {
    const here = and(valid, equal(predicted, constant(int64([], [id]))));
    return reshape(solveGamma({ confidence, consistent, valid: here }), [1]);
  });
  const all = concat(solved, 0);
  return where(greater(all, number(NOTHING)), all, previous);
}

/** Confidence stretched so that the least sure pixel of a batch has 0 and the surest 1 (section X-A); all 1 where all are equal. */
function softMask(peak: Value, valid: Value): Value {
  const lowest = min(where(valid, peak, number(2)));
  const highest = max(where(valid, peak, number(-1)));
  const range = sub(highest, lowest);
  const stretched = div(sub(peak, lowest), maximum(range, number(1e-12)));
  return where(valid, where(greater(range, number(0)), stretched, number(1)), number(0));
}

export interface Certainty {
  /** γ of Alg. 1, whatever the rule: the threshold a deployed model would use. float32 scalar */
  readonly gamma: Value;
  /** bool [N, H, W]: M_γ, yes or no, on valid pixels. */
  readonly certain: Value;
  /** float32 [N, H, W]: how much each pixel counts in L_c. */
  readonly weight: Value;
  /** Γ [K], where the rule is per class. */
  readonly perClass?: Value;
}

/** M_γ of a batch under a rule. `previous` is Γ [K] of the step before, for the rule that needs it. */
export function certainty(pixels: Pixels, rule: CertaintyRule, previous: Value): Certainty {
  const fixed = { ...pixels, confidence: stopGradient(pixels.confidence), peak: stopGradient(pixels.peak) };
  const { confidence, valid, predicted } = fixed;
  const gamma = rule.kind === "constant" ? constantGamma(fixed, rule.share) : solveGamma(fixed);
  const above = (threshold: Value): Value => and(valid, isCertain(confidence, threshold));
  const hard = (certain: Value): Certainty => ({ gamma, certain, weight: cast(certain, "float32") });
  switch (rule.kind) {
    case "gamma":
    case "constant":
      return hard(above(gamma));
    case "none":
      return hard(valid);
    case "soft":
      return { gamma, certain: above(gamma), weight: softMask(fixed.peak, valid) };
    case "per-class": {
      const perClass = solveGammaPerClass(fixed, previous);
      return { ...hard(above(gather(perClass, predicted, 0))), perClass };
    }
  }
}
