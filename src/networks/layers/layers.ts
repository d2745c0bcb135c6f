import type { Value } from "../../engine/graph/value.js";
import { batchNorm, frozenBatchNorm } from "../../engine/ops/batchNorm.js";
import { type ConvOptions, conv2d } from "../../engine/ops/conv.js";
import { cast, greaterOrEqual, mul, number, scale } from "../../engine/ops/elementwise.js";
import { matmul } from "../../engine/ops/matmul.js";
import { reshape, slice, transpose } from "../../engine/ops/shaping.js";
import { size } from "../../engine/tensor/shape.js";
import { UserError } from "../../platform/errors.js";
import { filledWith, type Init, kaimingUniform } from "./init.js";
import type { Pass } from "./pass.js";
import type { Param, Scope } from "./scope.js";
import { SpectralNorm, type SpectralNormOptions } from "./spectralNorm.js";

export interface Conv2dOptions extends Omit<ConvOptions, "learned"> {
  readonly in: number;
  readonly out: number;
  readonly kernel: number;
  readonly bias?: boolean;
  readonly init?: Init;
  /** Hold the filter's norm below a bound. */
  readonly spectralNorm?: SpectralNormOptions | undefined;
}

export class Conv2d {
  readonly #scope: Scope;
  readonly #options: Omit<ConvOptions, "learned">;
  readonly #weight: Param;
  readonly #bias: Param | undefined;
  readonly #held: SpectralNorm | undefined;

  constructor(
    scope: Scope,
    { in: input, out, kernel, bias = false, init = kaimingUniform, spectralNorm, ...options }: Conv2dOptions,
  ) {
    this.#scope = scope;
    this.#options = options;
    this.#weight = scope.param("weight", [out, input / (options.groups ?? 1), kernel, kernel], init);
    this.#bias = bias ? scope.param("bias", [out], filledWith(0)) : undefined;
    this.#held = spectralNorm && new SpectralNorm(scope, this.#weight, options, spectralNorm);
  }

  /** [N, in, H, W] -> [N, out, H', W'] */
  forward(x: Value, pass: Pass): Value {
    return this.#scope.within(() => {
      const filter = this.#held?.filter(pass) ?? this.#weight.value;
      return conv2d(x, filter, { ...this.#options, learned: pass.learning }, this.#bias?.value);
    });
  }

  /**
   * What some of the input's channels add to the output: those from `first` on. Over all parts it adds up to `forward`; a
   * convolution of single channels gives their own outputs instead. Without bias.
   */
  forwardPart(x: Value, first: number, pass: Pass): Value {
    const channels = x.shape[1]!;
    const single = (this.#options.groups ?? 1) > 1;
    return this.#scope.within(() => {
      const filter = slice(this.#weight.value, single ? 0 : 1, first, first + channels);
      return conv2d(x, filter, { ...this.#options, groups: single ? channels : 1, learned: pass.learning });
    });
  }

  /**
   * Products of what this layer makes with some directions: x [N, in, H, W], directions [out, K] -> [N, K, H, W]. For 1x1
   * filters, where both are one convolution to K channels.
   */
  towards(x: Value, directions: Value): Value {
    const [out, input] = this.#weight.shape as [number, number];
    const k = directions.shape[1]!;
    const turned = transpose(directions, [1, 0]); // [K, out]
    const bias = this.#bias && reshape(matmul(turned, reshape(this.#bias.value, [out, 1])), [k]);
    return this.#scope.within(() =>
      conv2d(x, reshape(matmul(turned, reshape(this.#weight.value, [out, input])), [k, input, 1, 1]), {}, bias),
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
    this.#rate = checkedRate(rate);
  }

  forward(x: Value, pass: Pass): Value {
    return pass.dropout === "on" ? dropped(x, this.#rate, () => pass.noise(x.shape)) : x;
  }
}

/** Zeroes a share of the channels, each as a whole: neighbouring pixels are too alike for dropping single ones to matter. */
export class ChannelDropout {
  readonly #rate: number;

  constructor(rate: number) {
    this.#rate = checkedRate(rate);
  }

  /** [N, C, H, W] -> [N, C, H, W], with noise [N, C, 1, 1]; here the draws of one pass part. */
  forward(x: Value, pass: Pass): Value {
    if (pass.dropout === "off" || this.#rate === 0) return x;
    const each = pass.spread(x);
    const [n, c] = each.shape as [number, number];
    return dropped(each, this.#rate, () => pass.noise([n, c, 1, 1]));
  }
}

function dropped(x: Value, rate: number, noise: () => Value): Value {
  if (rate === 0) return x;
  const kept = cast(greaterOrEqual(noise(), number(rate)), "float32");
  return mul(x, scale(kept, 1 / (1 - rate)));
}

function checkedRate(rate: number): number {
  if (!(rate >= 0 && rate < 1)) {
    throw new UserError(`a dropout rate is ${rate}, wanted at least 0 and below 1`, {
      hint: "it is the share dropped",
    });
  }
  return rate;
}
