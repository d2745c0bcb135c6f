import { expect } from "vitest";
import type { Value } from "../src/engine/graph/value.js";
import { compile } from "../src/engine/runtime/compile.js";
import { nodeRuntime } from "../src/engine/runtime/node.js";
import { float32, type HostTensor, type Tensors } from "../src/engine/tensor/hostTensor.js";
import { random } from "../src/engine/tensor/random.js";
import { type Shape, size } from "../src/engine/tensor/shape.js";
import { type Evaluate, worstDisagreement } from "./finiteDifferences.js";

/** Where nothing is cornered, a long step keeps rounding out of the difference. */
const SMOOTH_STEP = 1e-2;

const runtime = nodeRuntime({ threads: 1 });

/** Compile some outputs, run them once, close. */
export async function evaluateOnce(outputs: Readonly<Record<string, Value>>, feeds: Tensors): Promise<Tensors> {
  const program = await compile(runtime, { outputs });
  return program.run(feeds).finally(() => program.close());
}

/**
 * Tensors of well-separated values in random order: no two elements, and no element and zero, are closer than a finite
 * difference moves them, so that no maximum changes hands and no kink is crossed.
 */
export function separated(shapes: readonly Shape[], low = -1.5, high = 1.5): { tensors: HostTensor[]; step: number } {
  const count = shapes.reduce((total, shape) => total + size(shape), 0);
  const gap = (high - low) / count;
  const draw = random("separated", count);
  const pool = Float32Array.from({ length: count }, (_, i) => {
    const value = low + (i + 0.5) * gap;
    return Math.abs(value) < gap / 4 ? gap / 2 : value;
  });
  for (let i = count - 1; i > 0; i--) {
    const j = draw.below(i + 1);
    [pool[i], pool[j]] = [pool[j]!, pool[i]!];
  }
  let taken = 0;
  const tensors = shapes.map((shape) => {
    const start = taken;
    taken += size(shape);
    return float32(shape, pool.slice(start, taken));
  });
  return { tensors, step: Math.min(SMOOTH_STEP, gap / 5) };
}

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
export async function expectGradient(
  build: (...inputs: Value[]) => Value,
  shapes: readonly Shape[],
  { low, high, kinks = false, fixed = [], tolerance = 1e-3 }: GradientOptions = {},
): Promise<void> {
  const { tensors, step } = separated(shapes, low, high);
  const programs: (() => Promise<void>)[] = [];
  const evaluate: Evaluate = async (outputs) => {
    const program = await compile(runtime, { outputs });
    programs.push(() => program.close());
    return (feeds) => program.run(feeds);
  };
  const worst = await worstDisagreement(build, [...tensors, ...fixed], evaluate, kinks ? step : SMOOTH_STEP);
  for (const close of programs) await close();
  expect(worst.error, `gradient of shapes ${JSON.stringify(shapes)}: ${JSON.stringify(worst)}`).toBeLessThan(tolerance);
}

/** Length of the difference between two arrays, in lengths of the second. */
export function relativeDistance(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
  const squares = (value: (i: number) => number): number =>
    Array.from(wanted, (_, i) => value(i) ** 2).reduce((a, b) => a + b, 0);
  return Math.sqrt(squares((i) => found[i]! - wanted[i]!) / squares((i) => wanted[i]!));
}
