import { input, type Value } from "../../engine/graph/value.js";
import { add, div, mul, number, scale, shift, sqrt, square, sub, tanh } from "../../engine/ops/elementwise.js";
import type { Param } from "../layers/scope.js";

/** What an optimiser remembers of a parameter from step to step, e.g. its velocity. Starts at zero. */
export interface Memory {
  readonly value: Value;
  readonly next: Value;
}

/** A parameter's next value, and what to remember by name. */
export interface Update {
  readonly next: Value;
  readonly memories: Readonly<Record<string, Memory>>;
}

/** Numbers that change while training come in through the door, so that turning one never recompiles the step. */
export interface Dials {
  readonly learningRate: Value;
  /** Counts from 1. */
  readonly step: Value;
}

/** How one group of parameters is treated. */
export interface GroupOptions {
  /** Share of the weight taken off at each step, times the learning rate. */
  readonly weightDecay: number;
  /** Multiplies the learning rate, e.g. for a pre-trained encoder. */
  readonly learningRateFactor: number;
}

export type Optimiser = (dials: Dials) => (param: Param, gradient: Value, group: GroupOptions) => Update;

const remembered = (param: Param, kind: string): Value =>
  input(`${kind}.${param.path}`, { dtype: "float32", shape: param.shape });

const rateOf = ({ learningRate }: Dials, { learningRateFactor }: GroupOptions): Value =>
  learningRateFactor === 1 ? learningRate : scale(learningRate, learningRateFactor);

/** Stochastic gradient descent with momentum, as PyTorch counts it: decay joins the gradient, velocity is not damped. */
export function sgd({ momentum }: { readonly momentum: number }): Optimiser {
  return (dials) => (param, gradient, group) => {
    const pulled = group.weightDecay === 0 ? gradient : add(gradient, scale(param.value, group.weightDecay));
    const velocity = remembered(param, "velocity");
    const next = add(scale(velocity, momentum), pulled);
    return {
      next: sub(param.value, mul(next, rateOf(dials, group))),
      memories: { velocity: { value: velocity, next } },
    };
  };
}

/**
 * AdamW (Loshchilov and Hutter, 2019), decay apart from the gradient.
 *
 * The moments are kept as plain decayed sums, 1 / (1 - β) times the usual ones: one pass less over every weight, made up
 * for in two scalars.
 */
export function adamW({ beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 } = {}): Optimiser {
  return (dials) => {
    // m̂ / (√v̂ + ε) = size · M / (√V + floor), with √V = spread · √v̂
    const spread = sqrt(div(lackOf(beta2, dials.step), number(1 - beta2)));
    const size = mul(div(number(1 - beta1), lackOf(beta1, dials.step)), spread);
    const floor = scale(spread, epsilon);
    return (param, gradient, group) => {
      const rate = rateOf(dials, group);
      const first = remembered(param, "first");
      const second = remembered(param, "second");
      const nextFirst = add(scale(first, beta1), gradient);
      const nextSecond = add(scale(second, beta2), square(gradient));
      const kept = group.weightDecay === 0 ? param.value : mul(param.value, shift(scale(rate, -group.weightDecay), 1));
      return {
        next: sub(kept, mul(div(nextFirst, add(sqrt(nextSecond), floor)), mul(size, rate))),
        memories: { first: { value: first, next: nextFirst }, second: { value: second, next: nextSecond } },
      };
    };
  };
}

/** 1 - β^t, without the cancellation that costs float32 four digits in the first steps: 1 - e^-y = 2τ / (1 + τ), τ = tanh(y / 2). */
function lackOf(beta: number, step: Value): Value {
  const half = tanh(scale(step, -Math.log(beta) / 2));
  return div(scale(half, 2), shift(half, 1));
}

/** Learning rate at each step, as a share of the full one. Steps count from 1. */
export interface Schedule {
  /** Steps over which the rate rises from nothing. */
  readonly warmUp: number;
  /** Exponent of the decay to zero at the last step; 0 keeps the rate. */
  readonly power: number;
}

/** "Poly" decay with a linear warm-up: the share (1 - done / steps)^power, DeepLab's usual one with power 0.9. */
export function shareOfRate(step: number, steps: number, { warmUp, power }: Schedule): number {
  const risen = warmUp === 0 ? 1 : Math.min(1, step / warmUp);
  return risen * (1 - (step - 1) / steps) ** power;
}
