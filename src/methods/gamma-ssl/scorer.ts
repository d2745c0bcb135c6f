import type { Value } from "../../engine/graph/value.js";
import { number, sub } from "../../engine/ops/elementwise.js";
import { restingPass } from "../../networks/nn/pass.js";
import type { Answers, Scored, Scorer } from "../scorer.js";
import { answerOf, sized } from "./answer.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions } from "./options.js";
import { storedPrototypes } from "./prototypes.js";
import { sharpened, similarities } from "./segmentation.js";

type AnswerOptions = Pick<GammaOptions, "temperature" | "score" | "classFrom">;

/**
 * Prototype segmentation (Fig. 2): the class of the nearest prototype of a data set [F, K], and how far away it is; or the
 * head's class, and how far away its prototype is.
 */
export const prototypeScorer = (
  name: string,
  network: GammaNetwork,
  prototypes: Value,
  options: AnswerOptions,
): Scorer => ({
  name,
  score: (answers) => {
    const embeddings = network.project(answers.features, restingPass);
    return scoredBySimilarity(similarities(embeddings, storedPrototypes(prototypes)), answers, options);
  },
});

/** What similarities to prototypes [N, K, h, w] say about every pixel, and the head where it is asked. */
export function scoredBySimilarity(
  scores: Value,
  { logits, scores: full, enlarge }: Pick<Answers, "logits" | "scores" | "enlarge">,
  options: AnswerOptions,
): Scored {
  const sharp = sized(sharpened(scores, options.temperature), enlarge);
  const { predicted, sure } = answerOf({ sharp, logits: { small: logits, full }, enlarge }, options);
  return { predicted, uncertainty: sub(number(1), sure) };
}
