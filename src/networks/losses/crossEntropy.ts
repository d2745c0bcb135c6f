import { constant, type Value } from "../../engine/graph/value.js";
import { cast, div, equal, maximum, mul, not, number, sub, where } from "../../engine/ops/elementwise.js";
import { gatherElements } from "../../engine/ops/gather.js";
import { logSumExp, sum } from "../../engine/ops/reduce.js";
import { reshape } from "../../engine/ops/shaping.js";
import { int64 } from "../../engine/tensor/hostTensor.js";
import { show } from "../../engine/tensor/shape.js";
import { UserError } from "../../platform/errors.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";

/**
 * Mean of -log p(label) over the pixels that have a label.
 *
 * logits [N, K, H, W], labels int64 [N, H, W] with VOID_LABEL where there is none.
 * A batch with no labelled pixel gives 0, not NaN.
 */
export function crossEntropy(logits: Value, labels: Value): Value {
  const [n, , h, w] = logits.shape as [number, number, number, number];
  if (labels.shape.length !== 3 || labels.shape[0] !== n || labels.shape[1] !== h || labels.shape[2] !== w) {
    throw new UserError(`crossEntropy: labels ${show(labels.type)} do not cover logits ${show(logits.type)}`, {
      hint: "resize the logits to the label size; labels are never resized",
    });
  }
  const ids = reshape(labels, [n, 1, h, w]);
  const isVoid = equal(ids, constant(int64([], [VOID_LABEL])));
  const labelled = cast(not(isVoid), "float32");
  const score = gatherElements(logits, where(isVoid, constant(int64([], [0])), ids), 1); // of the label; of class 0 where void
  const surprise = mul(sub(logSumExp(logits, [1]), score), labelled); // [N, 1, H, W]
  return div(sum(surprise), maximum(sum(labelled), number(1)));
}
