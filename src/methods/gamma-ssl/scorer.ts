import type { Value } from "../../engine/graph/value.js";
import { number, sub } from "../../engine/ops/elementwise.js";
import { argmax } from "../../engine/ops/reduce.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import { restingPass } from "../../networks/nn/pass.js";
import type { Scored, Scorer } from "../scorer.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions } from "./options.js";
import { storedPrototypes } from "./prototypes.js";
import { confidence, sharpened, similarities } from "./segmentation.js";

/** Prototype segmentation (Fig. 2): the class of the nearest prototype of a data set [F, K], and how far away it is. */
export function prototypeScorer(
  name: string,
  network: GammaNetwork,
  prototypes: Value,
  { temperature, score }: Pick<GammaOptions, "temperature" | "score">,
): Scorer {
  return {
    name,
    score: ({ features }) => {
      const scores = similarities(network.project(features, restingPass), storedPrototypes(prototypes));
      return scoredBySimilarity(scores, { temperature, score });
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
