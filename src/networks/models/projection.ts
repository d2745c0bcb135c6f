import type { Value } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { div, filled, maximum, number, relu, sqrt, square } from "../../engine/ops/elementwise.js";
import { l2Normalise } from "../../engine/ops/reduce.js";
import { xavierUniform } from "../layers/init.js";
import { BatchNorm2d, Conv2d } from "../layers/layers.js";
import type { Pass } from "../layers/pass.js";
import type { Scope } from "../layers/scope.js";

export interface ProjectionOptions {
  /** Channels in, between and out: F. */
  readonly features: number;
  /** One, as in SimCLR and the authors' code; two, as the paper's text has it. */
  readonly hiddenLayers?: 1 | 2;
}

/**
 * g_ρ of the paper: a perceptron for each pixel on its own, and z = g_ρ(ẑ) / |g_ρ(ẑ)|.
 *
 * Named as PyTorch numbers a Sequential of Linear, BatchNorm, ReLU, …: `projection.0.weight`, `projection.1.running_mean`,
 * `projection.3.bias`, if `scope` is called "projection".
 */
export class Projection {
  readonly #scope: Scope;
  readonly #hidden: readonly { readonly conv: Conv2d; readonly bn: BatchNorm2d }[];
  readonly #last: Conv2d;

  constructor(scope: Scope, { features, hiddenLayers = 1 }: ProjectionOptions) {
    this.#scope = scope;
    const shape = { in: features, out: features, kernel: 1 };
    this.#hidden = Array.from({ length: hiddenLayers }, (_, i) => ({
      conv: new Conv2d(scope.child(3 * i), shape),
      bn: new BatchNorm2d(scope.child(3 * i + 1), features),
    }));
    this.#last = new Conv2d(scope.child(3 * hiddenLayers), { ...shape, bias: true, init: xavierUniform });
  }

  /** Penultimate features to unit vectors: [N, F, H, W] -> [N, F, H, W], each pixel of length 1 (0 stays 0) */
  forward(features: Value, pass: Pass): Value {
    return this.#scope.within(() => l2Normalise(this.#last.forward(this.#inner(features, pass), pass), 1));
  }

  /**
   * Cosines between those unit vectors and some directions of length 1: features [N, F, H, W], directions [F, K] -> [N, K, H, W].
   *
   * For fixed weights: the last layer and the directions become one small convolution, and of the embedding itself only the
   * length is needed.
   */
  cosines(features: Value, directions: Value, pass: Pass): Value {
    return this.#scope.within(() => {
      const inner = this.#inner(features, pass);
      const products = this.#last.towards(inner, directions);
      const squares = square(this.#last.forward(inner, pass));
      // A convolution adds up channels in the layout that convolutions leave them in.
      const squaredLength = conv2d(squares, filled([1, squares.shape[1]!, 1, 1], 1));
      return div(products, sqrt(maximum(squaredLength, number(1e-24))));
    });
  }

  #inner(features: Value, pass: Pass): Value {
    return this.#hidden.reduce((x, { conv, bn }) => relu(bn.forward(conv.forward(x, pass), pass)), features);
  }
}
