import { constant, type Value } from "../../engine/graph/value.js";
import { add, cast, div, maximum, number, scale, where } from "../../engine/ops/elementwise.js";
import { sum } from "../../engine/ops/reduce.js";
import { histogram } from "../../engine/ops/select.js";
import { reshape, slice } from "../../engine/ops/shaping.js";
import { int64 } from "../../engine/tensor/hostTensor.js";

/** The masks of a batch; all [N, H, W], bool but for the classes, which are int64. */
export interface Masks {
  readonly predicted: Value;
  /** M_γ */
  readonly certain: Value;
  /** M_c */
  readonly consistent: Value;
  readonly valid: Value;
}

/** How M_γ and M_c agree; shares of valid pixels between 0 and 1. A share of nothing is 0. */
export interface Agreement {
  /** p(certain) and p(consistent) */
  readonly certain: Value;
  readonly consistent: Value;
  /** [K]: of the pixels predicted as each class, the share that is certain, and that is consistent. */
  readonly certainByClass: Value;
  readonly consistentByClass: Value;
  /** [K]: the share of all pixels predicted as each class. */
  readonly predictedByClass: Value;
  /** Of M_γ as a guess at M_c. */
  readonly f1: Value;
  readonly accuracy: Value;
}

/**
 * All of it from one count: pixels are sorted into K x 2 x 2 drawers by predicted class, certain or not, consistent or not.
 */
export function agreement({ predicted, certain, consistent, valid }: Masks, classes: number): Agreement {
  const drawer = add(
    scale(cast(predicted, "float32"), 4),
    add(scale(cast(certain, "float32"), 2), cast(consistent, "float32")),
  );
  const outside = 4 * classes; // one more drawer, for pixels that are not valid
  const places = where(valid, cast(drawer, "int64"), constant(int64([], [outside])));
  const counts = reshape(slice(cast(histogram(places, outside + 1), "float32"), 0, 0, outside), [classes, 2, 2]);

  const share = (part: Value, whole: Value): Value => div(part, maximum(whole, number(1)));
  const byClass = sum(counts, [1, 2]); // [K]
  const certainCounts = sum(slice(counts, 1, 1, 2), [1, 2]);
  const consistentCounts = sum(slice(counts, 2, 1, 2), [1, 2]);
  const total = sum(byClass);
  const both = sum(slice(slice(counts, 1, 1, 2), 2, 1, 2));
  const neither = sum(slice(slice(counts, 1, 0, 1), 2, 0, 1));
  return {
    certain: share(sum(certainCounts), total),
    consistent: share(sum(consistentCounts), total),
    certainByClass: share(certainCounts, byClass),
    consistentByClass: share(consistentCounts, byClass),
    predictedByClass: share(byClass, total),
    f1: share(scale(both, 2), add(sum(certainCounts), sum(consistentCounts))),
    accuracy: share(add(both, neither), total),
  };
}
