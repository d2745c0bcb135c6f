import type { Value } from "../../engine/graph/value.js";
import { number, sub } from "../../engine/ops/elementwise.js";
import { argmax } from "../../engine/ops/reduce.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import { restingPass } from "../../networks/nn/pass.js";
import type { Scored, Scorer } from "../scorer.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions } from "./options.js";
import { storedPrototypes } from "./prototypes.js";
import { confidence, confidenceIn, sharpened, similarities } from "./segmentation.js";

/**
 * Prototype segmentation (Fig. 2): the class of the nearest prototype of a data set [F, K], and how far away it is; or the
 * head's class, and how far away its prototype is.
 */
export function prototypeScorer(
  name: string,
  network: GammaNetwork,
  prototypes: Value,
  { temperature, score, classFrom }: Pick<GammaOptions, "temperature" | "score" | "classFrom">,
): Scorer {
  return {
    name,
    score: ({ features, predicted }) => {
      const scores = similarities(network.project(features, restingPass), storedPrototypes(prototypes));
      if (classFrom === "prototypes") return scoredBySimilarity(scores, { temperature, score });
      const sharp = upsampleScores(sharpened(scores, temperature));
      return { predicted, uncertainty: sub(number(1), confidenceIn(predicted, sharp, score, temperature)) };
    },
  };
}

/** What similarities to prototypes [N, K, h, w] say about every pixel. */
export function scoredBySimilarity(
  scores: Value,
  { temperature, score }: Pick<GammaOptions, "temperature" | "score">,
): Scored {
  const sharp = upsampleScores(sharpened(scores, temperature));
  return { predicted: argmax(sharp, 1), uncertainty: sub(number(1), confidence(sharp, score, temperature)) };
}
