import { constant, type Value } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { log, maximum, mul, number, sub } from "../../engine/ops/elementwise.js";
import { matmul } from "../../engine/ops/matmul.js";
import { argmax, logSoftmax, max, oneHot, softmax, sum } from "../../engine/ops/reduce.js";
import { reshape } from "../../engine/ops/shaping.js";
import { float32, floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { type FitPass, inTurn, type LabelledOutputs, unseenRemark } from "../parts/fitting.js";
import type { OnePassMethod } from "../parts/method.js";
import { pixelColumns } from "./classMoments.js";

/** Probabilities below this count as this: a template without a class would be infinitely far from everything. */
const LEAST = 1e-12;

/**
 * KL matching (Hendrycks et al., 2022): the mean probabilities of the pixels given to each class are its template;
 * u = min_k KL(p, template k). Unusual mixtures of classes are strange even where one class is far ahead.
 */
export const klMatching: OnePassMethod = {
  name: "kl-matching",
  title: "KL matching",
  family: "further",
  network: "source",
  kind: "one-pass",
  fit({ classes }) {
    const templates = new Templates(classes.length);
    return inTurn([() => templates], () => {
      const { tensors, seen } = templates.finish();
      return {
        tensors,
        remarks: unseenRemark(classes, seen).map((text) => text.replace("no pixel of", "no pixel taken for")),
      };
    });
  },
  score: ({ scores, predicted }, { templates }) => ({ predicted, uncertainty: divergence(scores, templates!) }),
};

/** min_k Σ_c p_c (log p_c - log t_kc): scores [N, K, H, W], templates [T, K] -> [N, H, W]. */
function divergence(scores: Value, templates: Tensors[string]): Value {
  const [count, classes] = templates.shape as [number, number];
  const probability = softmax(scores, 1);
  const own = sum(mul(probability, logSoftmax(scores, 1)), [1]);
  const logs = reshape(log(maximum(constant(templates), number(LEAST))), [count, classes, 1, 1]);
  return sub(own, max(conv2d(probability, logs), [1]));
}

/** Sums of the probabilities of the pixels given to each class. */
class Templates implements FitPass {
  readonly #classes: number;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;

  constructor(classes: number) {
    this.#classes = classes;
    this.#sums = new Float64Array(classes * classes);
    this.#counts = new Float64Array(classes);
  }

  measure({ logits }: LabelledOutputs): Record<string, Value> {
    const [n, , h, w] = logits.shape as [number, number, number, number];
    const given = oneHot(reshape(argmax(logits, 1), [n * h * w]), this.#classes, 0); // [K, P]
    return {
      sums: matmul(given, pixelColumns(softmax(logits, 1)), { transposeB: true }), // [given to, probability of]
      counts: sum(given, [1]),
    };
  }

  add({ sums, counts }: Tensors): void {
    for (const [total, more] of [
      [this.#sums, floats(sums, "sums")],
      [this.#counts, floats(counts, "counts")],
    ] as const)
      for (let i = 0; i < total.length; i++) total[i]! += more[i]!;
  }

  finish(): { tensors: Tensors; seen: number[] } {
    const seen = [...this.#counts.keys()].filter((k) => this.#counts[k]! > 0);
    const rows = seen.flatMap((k) =>
      Array.from({ length: this.#classes }, (_, c) => this.#sums[k * this.#classes + c]! / this.#counts[k]!),
    );
    return { tensors: { templates: float32([seen.length, this.#classes], rows) }, seen };
  }
}
