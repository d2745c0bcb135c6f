import { number, scale, sub } from "../../engine/ops/elementwise.js";
import { max, softmax } from "../../engine/ops/reduce.js";
import type { Candidate, Scorer } from "../scorer.js";

/** Temperatures to try (Liang et al., 2018). */
export const TEMPERATURES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;

/** One minus the largest class probability, at a temperature (Hendrycks and Gimpel, 2017; B-5). */
export function maxSoftmax({ temperature = 1, name = "max-softmax" } = {}): Scorer {
  return {
    name,
    score: ({ scores, predicted }) => {
      const largest = max(softmax(scale(scores, 1 / temperature), 1), [1]);
      return { predicted, uncertainty: sub(number(1), largest) };
    },
  };
}

/** At each of the temperatures. */
export const maxSoftmaxCandidates: readonly Candidate[] = TEMPERATURES.map((temperature) => ({
  settings: { temperature },
  scorer: maxSoftmax({ temperature }),
}));
