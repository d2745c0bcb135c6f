import type { Value } from "../src/engine/graph/value.js";
import { type HostTensor, type Tensors } from "../src/engine/tensor/hostTensor.js";
import { type Shape } from "../src/engine/tensor/shape.js";
/** Compile some outputs, run them once, close. */
export declare function evaluateOnce(outputs: Readonly<Record<string, Value>>, feeds: Tensors): Promise<Tensors>;
/**
 * Tensors of well-separated values in random order: no two elements, and no element and zero, are closer than a finite
 * difference moves them, so that no maximum changes hands and no kink is crossed.
 */
export declare function separated(
  shapes: readonly Shape[],
  low?: number,
  high?: number,
): {
  tensors: HostTensor[];
  step: number;
};
export interface GradientOptions {
  readonly low?: number;
  readonly high?: number;
  /** The op has kinks or ties: move inputs only as far as none is crossed. */
  readonly kinks?: boolean;
  /** Inputs that are not differentiated: labels, indices. They come after the others. */
  readonly fixed?: readonly HostTensor[];
  readonly tolerance?: number;
}
/** The gradient of `build` agrees with finite differences at inputs of these shapes. */
export declare function expectGradient(
  build: (...inputs: Value[]) => Value,
  shapes: readonly Shape[],
  { low, high, kinks, fixed, tolerance }?: GradientOptions,
): Promise<void>;
/** Length of the difference between two arrays, in lengths of the second. */
export declare function relativeDistance(found: ArrayLike<number>, wanted: ArrayLike<number>): number;
