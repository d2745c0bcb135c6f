import { number, scale, sub } from "../../engine/ops/elementwise.js";
import { max, softmax } from "../../engine/ops/reduce.js";
import type { OnePassMethod } from "../parts/method.js";

/** Temperatures to try (Liang et al., 2018). */
const TEMPERATURES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;

/** One minus the largest class probability, at a temperature (Hendrycks and Gimpel, 2017; B-5). */
export const maxSoftmax: OnePassMethod<{ readonly temperature: number }> = {
  name: "max-softmax",
  title: "Softmax",
  aliases: ["msp"],
  family: "representation",
  network: "source",
  quick: true,
  probability: true,
  kind: "one-pass",
  settings: () => TEMPERATURES.map((temperature) => ({ temperature })),
  score({ scores, predicted }, _, { temperature }) {
    const largest = max(softmax(scale(scores, 1 / temperature), 1), [1]);
    return { predicted, uncertainty: sub(number(1), largest) };
  },
};
