import { certainCounts } from "./atThreshold.js";
import { coarsen, limitsOf } from "./coarsen.js";
import { floatAt } from "./floatKey.js";
import { highOf, pixelsOf } from "./sketch.js";
import type { SketchSet } from "./sketchSet.js";

/**
 * For each image, how many of its right and wrong pixels are certain at each of the same few hundred thresholds. Sums over
 * any choice of images are then sums of rows, which makes a thousand resamplings a matter of a second.
 */
export interface ImageGrid {
  readonly images: number;
  /** Sorted upwards; the first calls nothing certain, the last everything. */
  readonly thresholds: Float64Array;
  /** images x thresholds, row by row. */
  readonly right: Float64Array;
  readonly wrong: Float64Array;
}

/** Thresholds lie closest where the pixels are, about `cells` of them, each moving at most 1/cells of either kind. */
export function imageGrid({ total, images }: SketchSet, cells = 512): ImageGrid {
  const coarse = coarsen(total, limitsOf(total, 1 / cells));
  const ends = new Set<number>();
  for (let i = 0; i < coarse.low.length; i++) ends.add(Math.min(highOf(coarse, i), coarse.last));
  const places = Float64Array.from(pixelsOf(total) === 0 ? [] : [total.first - 1, ...ends, total.last]).sort();
  const distinct = places.filter((place, i) => i === 0 || place !== places[i - 1]);
  const n = distinct.length;
  const right = new Float64Array(images.length * n);
  const wrong = new Float64Array(images.length * n);
  for (const [row, { sketch }] of images.entries()) {
    const certain = certainCounts(sketch, distinct);
    for (let k = 0; k < n; k++) {
      right[row * n + k] = (certain.rightAtLeast[k]! + certain.rightAtMost[k]!) / 2;
      wrong[row * n + k] = (certain.wrongAtLeast[k]! + certain.wrongAtMost[k]!) / 2;
    }
  }
  return { images: images.length, thresholds: Float64Array.from(distinct, floatAt), right, wrong };
}

/** Certain right and wrong pixels at each threshold, over some images together. */
export interface GridSum {
  readonly right: Float64Array;
  readonly wrong: Float64Array;
}

/** Each image as often as its entry in `times` says. */
export function sumImages(grid: ImageGrid, times: ArrayLike<number>): GridSum {
  const n = grid.thresholds.length;
  const right = new Float64Array(n);
  const wrong = new Float64Array(n);
  for (let row = 0; row < grid.images; row++) {
    const weight = times[row]!;
    if (weight !== 0) addRow(grid, row * n, n, weight, right, wrong);
  }
  return { right, wrong };
}

function addRow(
  grid: ImageGrid,
  start: number,
  n: number,
  weight: number,
  right: Float64Array,
  wrong: Float64Array,
): void {
  const { right: rights, wrong: wrongs } = grid;
  for (let k = 0; k < n; k++) {
    right[k]! += weight * rights[start + k]!;
    wrong[k]! += weight * wrongs[start + k]!;
  }
}
