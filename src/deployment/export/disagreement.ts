import type { RgbImage } from "../../data/images/tensors.js";
import type { Value } from "../../engine/graph/value.js";
import { sub } from "../../engine/ops/elementwise.js";
import { max, min, topK } from "../../engine/ops/reduce.js";

/** What two ways of answering were compared on. */
export interface ComparedOn {
  readonly images: number;
  readonly pixels: number;
  /** As "height x width". */
  readonly sizes: readonly string[];
}

export const comparedOn = (images: readonly RgbImage[]): ComparedOn => ({
  images: images.length,
  pixels: images.reduce((total, { width, height }) => total + width * height, 0),
  sizes: [...new Set(images.map(({ height, width }) => `${height} x ${width}`))],
});

/** Pixels decided otherwise, and the widest margin that the decision for one of them had. */
export class Otherwise {
  pixels = 0;
  margin = 0;

  note(margin: number): void {
    this.pixels++;
    this.margin = Math.max(this.margin, margin);
  }
}

/** The larger of two distances; not a number is as far as can be. */
export function further(sofar: number, distance: number): number {
  if (distance <= sofar) return sofar;
  return Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance;
}

/** How far the class with the largest score is ahead of the next: [N, K, H, W] -> [N, H, W]. */
export function lead(scores: Value): Value {
  const two = topK(scores, 2, { axis: 1 }).values;
  return sub(max(two, [1]), min(two, [1]));
}
