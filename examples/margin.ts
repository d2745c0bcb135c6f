/**
 * A baseline that this repository does not have: the difference of the two largest class scores. This record is all of it. To
 * add it for good, move the file to src/methods/baselines and name it in src/methods/registry.ts.
 */
import { sub } from "../src/engine/ops/elementwise.js";
import { max, min, topK } from "../src/engine/ops/reduce.js";
import type { OnePassMethod } from "../src/methods/parts/method.js";

export const margin: OnePassMethod = {
  name: "margin",
  title: "Margin",
  family: "further",
  network: "source",
  quick: true,
  kind: "one-pass",
  score({ scores, predicted }) {
    const two = topK(scores, 2, { axis: 1 }).values;
    return { predicted, uncertainty: sub(min(two, [1]), max(two, [1])) };
  },
};
