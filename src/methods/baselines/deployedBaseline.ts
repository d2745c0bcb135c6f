import type { Graph } from "../../engine/graph/graph.js";
import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { cast } from "../../engine/ops/elementwise.js";
import { cropped, imageInput, type Normalisation, normalised } from "../deployedParts.js";
import type { NetworkOutputs, Score } from "../networkOutputs.js";

export interface DeployedBaseline {
  /** Its network, in a pass with dynamic sizes. */
  forward(images: Value): NetworkOutputs;
  readonly score: Score;
  readonly normalisation: Normalisation;
}

/**
 * A baseline of one pass, from bytes to answers, for images of any size; built at one.
 *
 * `image` uint8 [1, H, W, 3] -> `class` uint8 and `uncertainty` float32, both [1, H, W]. Larger uncertainty means less sure.
 */
export function deployedBaseline(
  { forward, score, normalisation }: DeployedBaseline,
  extent: readonly [height: number, width: number],
): Graph {
  const image = imageInput(extent);
  const outputs = forward(within("image", () => normalised(image, normalisation)));
  return within("answer", () => {
    const { predicted, uncertainty } = score(outputs);
    return { outputs: { class: cropped(cast(predicted, "uint8"), image), uncertainty: cropped(uncertainty, image) } };
  });
}
