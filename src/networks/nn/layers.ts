import type { Value } from "../../engine/graph/value.js";
import { batchNorm, frozenBatchNorm } from "../../engine/ops/batchNorm.js";
import { type ConvOptions, conv2d } from "../../engine/ops/conv.js";
import { cast, greaterOrEqual, mul, number, scale } from "../../engine/ops/elementwise.js";
import { size } from "../../engine/tensor/shape.js";
import { filledWith, type Init, kaimingUniform } from "./init.js";
import type { Pass } from "./pass.js";
import type { Param, Scope } from "./scope.js";

export interface Conv2dOptions extends Omit<ConvOptions, "learned"> {
  readonly in: number;
  readonly out: number;
  readonly kernel: number;
  readonly bias?: boolean;
  readonly init?: Init;
}

export class Conv2d {
  readonly #scope: Scope;
  readonly #options: Omit<ConvOptions, "learned">;
  readonly #weight: Param;
  readonly #bias: Param | undefined;

  constructor(
    scope: Scope,
    { in: input, out, kernel, bias = false, init = kaimingUniform, ...options }: Conv2dOptions,
  ) {
    this.#scope = scope;
    this.#options = options;
    this.#weight = scope.param("weight", [out, input / (options.groups ?? 1), kernel, kernel], init);
    this.#bias = bias ? scope.param("bias", [out], filledWith(0)) : undefined;
  }

  /** [N, in, H, W] -> [N, out, H', W'] */
  forward(x: Value, { learning }: Pass): Value {
    return this.#scope.within(() =>
      conv2d(x, this.#weight.value, { ...this.#options, learned: learning }, this.#bias?.value),
    );
  }
}

export class BatchNorm2d {
  readonly #scope: Scope;
  readonly #weight: Param;
  readonly #bias: Param;
  readonly #mean: Param;
  readonly #variance: Param;

  constructor(scope: Scope, channels: number) {
    this.#scope = scope;
    this.#weight = scope.param("weight", [channels], filledWith(1));
    this.#bias = scope.param("bias", [channels], filledWith(0));
    this.#mean = scope.state("running_mean", [channels], filledWith(0));
    this.#variance = scope.state("running_var", [channels], filledWith(1));
  }

  /** [N, C, H, W] -> [N, C, H, W] */
  forward(x: Value, pass: Pass): Value {
    const parameters = { weight: this.#weight.value, bias: this.#bias.value };
    return this.#scope.within(() => {
      if (pass.batchNorm === "running") {
        return frozenBatchNorm(x, parameters, { mean: this.#mean.value, variance: this.#variance.value });
      }
      const { y, batch } = batchNorm(x, parameters);
      pass.record({ mean: this.#mean, variance: this.#variance }, batch, size(x.shape) / x.shape[1]!);
      return y;
    });
  }
}

/** Zeroes a share of the elements and scales up the rest, so that the mean stays. */
export class Dropout {
  readonly #rate: number;

  constructor(rate: number) {
    this.#rate = rate;
  }

  forward(x: Value, pass: Pass): Value {
    if (pass.dropout === "off" || this.#rate === 0) return x;
    const kept = cast(greaterOrEqual(pass.noise(x.shape), number(this.#rate)), "float32");
    return mul(x, scale(kept, 1 / (1 - this.#rate)));
  }
}
