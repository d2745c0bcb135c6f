import type { Value } from "../../engine/graph/value.js";
import { number, sub } from "../../engine/ops/elementwise.js";
import { inferencePass } from "../../networks/layers/pass.js";
import type { Scorer } from "../scorer.js";
import { type AnswerOptions, answerOf } from "./answer.js";
import type { GammaNetwork } from "./network.js";
import { storedPrototypes } from "./prototypes.js";
import { sharpened, similarities } from "./segmentation.js";

/**
 * Prototype segmentation (Fig. 2): the class of the nearest prototype of a data set [F, K], and how far away it is. Where the head was
 * the query, the head's class and probability.
 */
export const prototypeScorer = (
  name: string,
  network: GammaNetwork,
  prototypes: Value,
  options: AnswerOptions,
): Scorer => ({
  name,
  score: (answers) => {
    const { predicted, confidence } = answerOf(options, {
      sharp: () => {
        const embeddings = network.project(answers.features, inferencePass);
        return answers.enlarge(sharpened(similarities(embeddings, storedPrototypes(prototypes)), options.temperature));
      },
      logits: () => answers.scores,
    });
    return { predicted, uncertainty: sub(number(1), confidence) };
  },
});
