import type { Graph } from "../../engine/graph/graph.js";
import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { cast } from "../../engine/ops/elementwise.js";
import { type Eye, imageSeen } from "../parts/deployedParts.js";
import type { NetworkOutputs, Score } from "../parts/networkOutputs.js";

export interface DeployedBaseline extends Eye {
  /** Its network, in a pass with dynamic sizes. */
  forward(images: Value): NetworkOutputs;
  readonly score: Score;
}

/**
 * A baseline of one pass, from bytes to answers, for images of any size, which it scales to `height`; built at one size.
 *
 * `image` uint8 [1, H, W, 3] -> `class` uint8 and `uncertainty` float32, both [1, H, W]. Larger uncertainty means less sure.
 */
export function deployedBaseline(
  { forward, score, ...eye }: DeployedBaseline,
  extent: readonly [height: number, width: number],
): Graph {
  const { planes, atOwnSize } = imageSeen(extent, eye);
  const outputs = forward(planes);
  return within("answer", () => {
    const { predicted, uncertainty } = score(outputs);
    return { outputs: { class: atOwnSize(cast(predicted, "uint8")), uncertainty: atOwnSize(uncertainty) } };
  });
}
