import type { Value } from "../../engine/graph/value.js";
import { relu } from "../../engine/ops/elementwise.js";
import { l2Normalise } from "../../engine/ops/reduce.js";
import { xavierUniform } from "../nn/init.js";
import { BatchNorm2d, Conv2d } from "../nn/layers.js";
import type { Pass } from "../nn/pass.js";
import type { Scope } from "../nn/scope.js";

export interface ProjectionOptions {
  /** F: channels in, between and out. */
  readonly features: number;
  readonly hiddenLayers?: number;
}

/** g_ρ: a perceptron applied to every pixel alone, as SimCLR's head; its embeddings have length 1. */
export class Projection {
  readonly #scope: Scope;
  readonly #hidden: readonly { readonly conv: Conv2d; readonly bn: BatchNorm2d }[];
  readonly #last: Conv2d;

  constructor(scope: Scope, { features, hiddenLayers = 1 }: ProjectionOptions) {
    this.#scope = scope;
    const same = { in: features, out: features, kernel: 1 };
    this.#hidden = Array.from({ length: hiddenLayers }, (_, i) => ({
      conv: new Conv2d(scope.child(2 * i), same),
      bn: new BatchNorm2d(scope.child(2 * i + 1), features),
    }));
    this.#last = new Conv2d(scope.child(2 * hiddenLayers), { ...same, bias: true, init: xavierUniform });
  }

  /** z = g_ρ(ẑ) / ‖g_ρ(ẑ)‖: [N, F, h, w] -> [N, F, h, w] */
  forward(x: Value, pass: Pass): Value {
    return this.#scope.within(() => {
      const inner = this.#hidden.reduce((value, { conv, bn }) => relu(bn.forward(conv.forward(value, pass), pass)), x);
      return l2Normalise(this.#last.forward(inner, pass), 1);
    });
  }
}
