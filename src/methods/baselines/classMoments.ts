import type { Value } from "../../engine/graph/value.js";
import { div, maximum, mul, number, sub } from "../../engine/ops/elementwise.js";
import { matmul } from "../../engine/ops/matmul.js";
import { oneHot, sum } from "../../engine/ops/reduce.js";
import { concat, reshape, slice, transpose } from "../../engine/ops/shaping.js";
import { floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { UserError } from "../../platform/errors.js";
import type { FitPass, LabelledOutputs } from "../parts/fitting.js";

/** One scatter matrix for all classes together, or one for each. */
type Spread = "tied" | "each";

/** How many pixels each class has, where its features lie and how they spread: everything that Gaussians are made of. */
export interface Moments {
  readonly features: number;
  /** [K] */
  readonly counts: Float64Array;
  /** [K, F]; zeros for a class without pixels. */
  readonly means: Float64Array;
  /** Σ (ẑ - μ_y)(ẑ - μ_y)ᵀ, by "tied" over all pixels [F, F], by "each" for each class [K, F, F]. */
  readonly scatter: Float64Array;
}

/**
 * Moments of the features of each class over a data set, in one pass and in memory that does not depend on its size.
 *
 * The graph takes the mean of each class out of an image before it multiplies, so that float32 keeps its digits however far
 * the features lie from zero. Images are joined in double precision (Chan, Golub and LeVeque, 1979), which is exact: what two
 * groups with different means add to the scatter is n·m / (n + m) times the square of the difference.
 */
export class ClassMoments implements FitPass, Moments {
  readonly features: number;
  readonly counts: Float64Array;
  readonly means: Float64Array;
  readonly scatter: Float64Array;
  readonly #classes: number;
  readonly #spread: Spread;

  constructor({ features, classes, spread }: { features: number; classes: number; spread: Spread }) {
    this.features = features;
    this.counts = new Float64Array(classes);
    this.means = new Float64Array(classes * features);
    this.scatter = new Float64Array((spread === "tied" ? 1 : classes) * features * features);
    this.#classes = classes;
    this.#spread = spread;
  }

  measure({ features, cells }: LabelledOutputs): Record<string, Value> {
    const x = pixelColumns(features);
    const labels = oneHot(reshape(cells, [x.shape[1]!]), this.#classes, 1); // [P, K], zeros where void
    const counts = sum(labels, [0]);
    const means = div(matmul(x, labels), maximum(counts, number(1))); // [F, K]
    const off = sub(x, matmul(means, labels, { transposeB: true }));
    const scatterOf = (mask: Value): Value => matmul(mul(off, mask), off, { transposeB: true });
    const rows = transpose(labels, [1, 0]); // [K, P]
    const scatter =
      this.#spread === "tied"
        ? scatterOf(sum(rows, [0], { keep: true }))
        : concat(
            Array.from({ length: this.#classes }, (_, k) => scatterOf(slice(rows, 0, k, k + 1))),
            0,
          );
    return { counts, means, scatter };
  }

  add(measured: Tensors): void {
    const [counts, means, scatter] = ["counts", "means", "scatter"].map((name) => floats(measured[name], name));
    for (let i = 0; i < this.scatter.length; i++) this.scatter[i]! += scatter![i]!;
    for (let k = 0; k < this.#classes; k++) {
      const mean = Float64Array.from({ length: this.features }, (_, f) => means![f * this.#classes + k]!);
      this.#join(k, counts![k]!, mean);
    }
  }

  /** So many more pixels of a class with this mean. */
  #join(k: number, count: number, mean: Float64Array): void {
    if (count === 0) return;
    const f = this.features;
    const before = this.counts[k]!;
    const own = this.means.subarray(k * f, (k + 1) * f);
    const apart = mean.map((value, i) => value - own[i]!);
    const weight = (before * count) / (before + count);
    const start = this.#spread === "tied" ? 0 : k * f * f;
    if (weight > 0) {
      for (let i = 0; i < f; i++) {
        const by = weight * apart[i]!;
        for (let j = 0; j < f; j++) this.scatter[start + i * f + j]! += by * apart[j]!;
      }
    }
    for (let i = 0; i < f; i++) own[i]! += (apart[i]! * count) / (before + count);
    this.counts[k] = before + count;
  }
}

/** Features as a matrix with a column for each pixel: [N, F, h, w] -> [F, P]. */
export function pixelColumns(features: Value): Value {
  const [n, f, h, w] = features.shape as [number, number, number, number];
  return reshape(transpose(features, [1, 0, 2, 3]), [f, n * h * w]);
}

/** How many pixels there were; none at all is refused. */
export function pixelsOf({ counts }: Moments): number {
  const total = counts.reduce((all, count) => all + count, 0);
  if (total > 0) return total;
  throw new UserError("the source has no labelled pixel to learn from", {
    hint: "see what is in it with gssl inspect",
  });
}

/** Places of the classes that have a pixel. */
export const seenClasses = ({ counts }: Moments): number[] => [...counts.keys()].filter((k) => counts[k]! > 0);

/** The mean of a class: [F]. */
export const meanOf = ({ means, features }: Moments, k: number): Float64Array =>
  means.subarray(k * features, (k + 1) * features);

/** The scatter of all classes together, from either kind of moments: [F, F]. */
export function tiedScatter({ scatter, features }: Moments): Float64Array {
  const tied = new Float64Array(features * features);
  for (let i = 0; i < scatter.length; i++) tied[i % tied.length]! += scatter[i]!;
  return tied;
}

/** The mean over all pixels of all classes: [F]. */
export function overallMean(moments: Moments): Float64Array {
  const { counts, means, features } = moments;
  const total = pixelsOf(moments);
  const mean = new Float64Array(features);
  for (let i = 0; i < means.length; i++) mean[i % features]! += (counts[Math.floor(i / features)]! * means[i]!) / total;
  return mean;
}
