import type { Value } from "../../engine/graph/value.js";
import { number, sub } from "../../engine/ops/elementwise.js";
import { inferencePass } from "../../networks/layers/pass.js";
import type { Score } from "../networkOutputs.js";
import { gammaPrediction, type PredictionOptions } from "./gammaPrediction.js";
import type { GammaNetwork } from "./network.js";
import { storedPrototypes } from "./prototypes.js";
import { sharpened, similarities } from "./segmentation.js";

/**
 * Prototype segmentation (Fig. 2): the class of the nearest prototype of a data set [F, K], and how far away it is. Where the head was
 * the query, the head's class and probability.
 */
export const prototypeScore =
  (network: GammaNetwork, prototypes: Value, options: PredictionOptions): Score =>
  (outputs) => {
    const { predicted, confidence } = gammaPrediction(options, {
      sharp: () => {
        const embeddings = network.project(outputs.features, inferencePass);
        return outputs.enlarge(sharpened(similarities(embeddings, storedPrototypes(prototypes)), options.temperature));
      },
      logits: () => outputs.scores,
    });
    return { predicted, uncertainty: sub(number(1), confidence) };
  };
