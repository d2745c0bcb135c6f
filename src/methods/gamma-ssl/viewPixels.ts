import type { Value } from "../../engine/graph/value.js";
import { inferencePass } from "../../networks/layers/pass.js";
import { type Crop, pairBatch, type View } from "./batchInputs.js";
import type { Pixels } from "./gammaSolver.js";
import { pixelsOf } from "./health.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions } from "./options.js";
import { storedPrototypes } from "./prototypes.js";
import { sharpened, similarities } from "./segmentation.js";

/**
 * What Alg. 1 needs to know of pairs of views, of a network that has been trained: both branches at rest, by the prototypes of
 * a data set [F, K]. Fed as the loader's stream "target" is. In training, γ is solved from the same on each batch.
 */
export function viewPixels(
  network: GammaNetwork,
  prototypes: Value,
  options: GammaOptions,
  { images, crop }: { readonly images: number; readonly crop: Crop },
): Pixels {
  const pair = pairBatch("target", images, crop);
  const byPrototypes = (features: Value): Value => {
    const scores = similarities(network.project(features, inferencePass), storedPrototypes(prototypes));
    return sharpened(scores, options.temperature);
  };
  const byHead = (features: Value): Value => sharpened(network.head(features, inferencePass), options.headTemperature);
  const scoresOf = { head: byHead, prototypes: byPrototypes };
  const scores = (of: "target" | "query", view: View): Value =>
    view.align(scoresOf[options.branches[of]](network.features(view.images, inferencePass)));
  return pixelsOf(scores("target", pair.first), scores("query", pair.second), pair.valid, options);
}
