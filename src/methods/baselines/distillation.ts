import type { Value } from "../../engine/graph/value.js";
import { add, log, maximum, mul, neg, number, scale, square, stopGradient, sub } from "../../engine/ops/elementwise.js";
import { logSoftmax, mean, softmax, sum } from "../../engine/ops/reduce.js";
import { slice } from "../../engine/ops/shaping.js";
import { xavierUniform } from "../../networks/layers/init.js";
import { Conv2d } from "../../networks/layers/layers.js";
import type { Pass } from "../../networks/layers/pass.js";
import type { Scope } from "../../networks/layers/scope.js";

/**
 * Mean probabilities of several draws. A student of MC dropout learns them beside the labels (Gurau et al., 2018; B-4), or in a
 * second head their entropy (Holder and Shafique, 2021).
 *
 * logits [T · N, K, h, w], draw after draw -> [N, K, h, w], a constant.
 */
export function meanProbabilities(logits: Value, draws: number): Value {
  const images = logits.shape[0]! / draws;
  const probabilities = softmax(logits, 1);
  const each = Array.from({ length: draws }, (_, t) => slice(probabilities, 0, t * images, (t + 1) * images));
  return stopGradient(scale(each.reduce(add), 1 / draws));
}

/** Cross-entropy from the teacher's probabilities to the student's scores, both [N, K, h, w]: the mean over pixels. */
export const softTargetLoss = (logits: Value, teacher: Value): Value =>
  neg(mean(sum(mul(teacher, logSoftmax(logits, 1)), [1])));

/** Squared error of the student's uncertainty [N, 1, h, w] against the entropy of the teacher's mean probabilities. */
export function uncertaintyLoss(predictedUncertainty: Value, teacher: Value): Value {
  const entropy = neg(sum(mul(teacher, log(maximum(teacher, number(1e-38)))), [1], { keep: true }));
  return mean(square(sub(predictedUncertainty, entropy)));
}

/** The scope of a second head. */
export const UNCERTAINTY_HEAD = "uncertainty_head";

/** A second head, for uncertainty: features [N, F, h, w] -> [N, 1, h, w]. */
export class UncertaintyHead {
  readonly #scope: Scope;
  readonly #conv: Conv2d;

  constructor(scope: Scope, features: number) {
    this.#scope = scope;
    this.#conv = new Conv2d(scope.child(0), { in: features, out: 1, kernel: 1, bias: true, init: xavierUniform });
  }

  forward(features: Value, pass: Pass): Value {
    return this.#scope.within(() => this.#conv.forward(features, pass));
  }
}
