import type { Value } from "../../engine/graph/value.js";
import { argmax } from "../../engine/ops/reduce.js";
import { restingPass } from "../../networks/nn/pass.js";
import { type Crop, pairBatch } from "./batchInputs.js";
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
  { pictures, crop }: { readonly pictures: number; readonly crop: Crop },
): Pixels {
  const pair = pairBatch("target", pictures, crop);
  const byPrototypes = (features: Value): Value => {
    const scores = similarities(network.project(features, restingPass), storedPrototypes(prototypes));
    return sharpened(scores, options.temperature);
  };
  const byHead = (features: Value): Value => sharpened(network.head(features, restingPass), options.headTemperature);
  const scoresOf = { head: byHead, prototypes: byPrototypes };
  const target = scoresOf[options.branches.target](network.features(pair.first.images, restingPass));
  const features = network.features(pair.second.images, restingPass);
  const { align } = pair.second;
  const query = scoresOf[options.branches.query](features);
  const logits = align(network.head(features, restingPass));
  return pixelsOf(pair.first.align(target), align(query), pair.valid, options, logits);
}

/**
 * The classes that a head gives the second views, int64 [N, H, W], on the places of the first: what a witness says, the network of
 * before the adaptation, which was not taught to agree with itself.
 */
export function witnessClasses(
  network: Pick<GammaNetwork, "features" | "head">,
  { pictures, crop }: { readonly pictures: number; readonly crop: Crop },
): Value {
  const { second } = pairBatch("target", pictures, crop);
  return argmax(second.align(network.head(network.features(second.images, restingPass), restingPass)), 1);
}
