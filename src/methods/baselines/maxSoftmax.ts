import { number, scale, sub } from "../../engine/ops/elementwise.js";
import { argmax, max, softmax } from "../../engine/ops/reduce.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import type { Scorer } from "../scorer.js";

/** One minus the largest class probability, at a temperature (Hendrycks and Gimpel, 2017; B-5). */
export function maxSoftmax({ temperature = 1 }: { readonly temperature?: number } = {}): Scorer {
  return {
    name: temperature === 1 ? "max-softmax" : `max-softmax-${temperature}`,
    score: ({ logits }) => {
      const scores = upsampleScores(logits);
      const largest = max(softmax(scale(scores, 1 / temperature), 1), [1]);
      return { predicted: argmax(scores, 1), uncertainty: sub(number(1), largest) };
    },
  };
}
