import { random } from "../engine/tensor/random.js";
import { bandsOf } from "./bands.js";
import { type BootstrapOptions, type Interval, quantile } from "./bootstrap.js";
import { floatAt } from "./floatKey.js";
import { imageGrid, sumImages } from "./imageGrid.js";
import { highOf, pixelsOf, type Sketch } from "./sketch.js";
import type { SketchSet } from "./sketchSet.js";

/**
 * The lowest threshold at which at least so many pixels are certain; null without a pixel. A threshold lets in all pixels that
 * tie with it. Exact where the sketch keeps numbers apart; else within the interval that the threshold falls into.
 */
export function thresholdForPixels(sketch: Sketch, wanted: number): number | null {
  if (pixelsOf(sketch) === 0) return null;
  if (wanted <= 0) return floatAt(sketch.first);
  const { after, byEnd } = bandsOf(sketch);
  for (const i of byEnd) {
    const { rightAtLeast, rightAtMost, wrongAtLeast, wrongAtMost } = after;
    const certain = (rightAtLeast[i]! + rightAtMost[i]! + wrongAtLeast[i]! + wrongAtMost[i]!) / 2;
    if (certain >= wanted) return floatAt(Math.min(highOf(sketch, i), sketch.last));
  }
  return floatAt(sketch.last);
}

/**
 * The threshold at which as many pixels are certain as are right (Alg. 1 of the paper, where "right" is "consistent"). Where
 * none is right, the surest pixel stays certain.
 */
export const matchedThreshold = (sketch: Sketch): number | null => thresholdForPixels(sketch, sketch.rights);

/** How far that threshold strays when whole images are drawn again and again; null with fewer than two. */
export function matchedInterval(
  set: SketchSet,
  { replicates = 1000, seed = 0, level = 0.95 }: BootstrapOptions = {},
): Interval | null {
  const grid = imageGrid(set);
  if (grid.images < 2) return null;
  const draws = random(seed, "matched threshold");
  const found = Float64Array.from({ length: replicates }, () => {
    const times = new Uint32Array(grid.images);
    for (let draw = 0; draw < grid.images; draw++) times[draws.below(grid.images)]!++;
    const { right, wrong } = sumImages(grid, times);
    const rights = right.at(-1)!;
    return grid.thresholds[right.findIndex((certain, k) => certain + wrong[k]! >= Math.max(1, rights))]!;
  }).sort();
  return { low: quantile(found, (1 - level) / 2), high: quantile(found, (1 + level) / 2) };
}
