import type { Value } from "../../engine/graph/value.js";
import { enlarge, spreadLike } from "../../engine/ops/dynamicShape.js";
import { resizeBilinear } from "../../engine/ops/resize.js";
import type { Pass } from "../layers/pass.js";

const extentOf = ({ shape }: Value): [height: number, width: number] => [shape[2]!, shape[3]!];

/** Features at the height and width of others, which are a whole number of times as large; corners stay corners. */
export function resizedLike(x: Value, like: Value, pass: Pass): Value {
  const [height, width] = extentOf(like);
  if (pass.sizes === "open") return enlarge(x, 2, height / extentOf(x)[0], "corners");
  return resizeBilinear(x, [height, width], "corners");
}

/** A summary [N, C, 1, 1] given to every pixel of some features. */
export function spreadOver(summary: Value, features: Value, pass: Pass): Value {
  if (pass.sizes === "open") return spreadLike(summary, 2, features);
  return resizeBilinear(summary, extentOf(features), "centres");
}
