import { random } from "../engine/tensor/random.js";
import { type GridSum, imageGrid, sumImages } from "./imageGrid.js";
import type { SketchSet } from "./sketchSet.js";

/** From low to high. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export const bootstrapMeasures = ["accuracy", "auroc", "aupr", "maxAmd", "maxF05"] as const;
export type BootstrapMeasure = (typeof bootstrapMeasures)[number];
/** An interval for each measure; null where it cannot be had. */
export type Intervals = Record<BootstrapMeasure, Interval | null>;

/** How images are drawn. */
export interface BootstrapOptions {
  readonly replicates?: number;
  readonly seed?: number;
  /** Share of replicates inside the interval. */
  readonly level?: number;
}

/**
 * Intervals from drawing whole images with replacement: pixels of one image are alike, so drawing pixels would promise far
 * too much. `centre` is the value over all pixels; the grid of thresholds is coarse, and its small offset from there is
 * taken off. Null where a measure is undefined for more than half the replicates, or with fewer than two images.
 */
export function bootstrap(
  set: SketchSet,
  centre: Readonly<Partial<Record<BootstrapMeasure, number | null>>>,
  { replicates = 1000, seed = 0, level = 0.95 }: BootstrapOptions = {},
): Intervals {
  const grid = imageGrid(set);
  const draws = random(seed, "bootstrap");
  const once = measureSum(sumImages(grid, new Uint8Array(grid.images).fill(1)));
  const found: Record<BootstrapMeasure, number[]> = { accuracy: [], auroc: [], aupr: [], maxAmd: [], maxF05: [] };
  for (let replicate = 0; replicate < replicates && grid.images > 1; replicate++) {
    const times = new Uint32Array(grid.images);
    for (let draw = 0; draw < grid.images; draw++) times[draws.below(grid.images)]!++;
    const measured = measureSum(sumImages(grid, times));
    for (const name of bootstrapMeasures) if (!Number.isNaN(measured[name])) found[name].push(measured[name]);
  }
  const interval = (name: BootstrapMeasure): Interval | null => {
    const values = Float64Array.from(found[name]).sort();
    const middle = centre[name] ?? once[name];
    if (grid.images < 2 || values.length < replicates / 2 || Number.isNaN(once[name])) return null;
    const offset = middle - once[name];
    return { low: quantile(values, (1 - level) / 2) + offset, high: quantile(values, (1 + level) / 2) + offset };
  };
  return {
    accuracy: interval("accuracy"),
    auroc: interval("auroc"),
    aupr: interval("aupr"),
    maxAmd: interval("maxAmd"),
    maxF05: interval("maxF05"),
  };
}

/** Linear between neighbours; `sorted` upwards, not empty. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!);
}

/** All measures in one walk over the thresholds; NaN where undefined, which stays inside this file. */
function measureSum({ right, wrong }: GridSum): Record<BootstrapMeasure, number> {
  const n = right.length;
  const rights = right[n - 1] ?? 0;
  const wrongs = wrong[n - 1] ?? 0;
  const pixels = rights + wrongs;
  let area = 0;
  let precision = 0;
  let maxAmd = wrongs;
  let maxF05 = 0;
  let rightBefore = 0;
  let wrongBefore = 0;
  for (let k = 0; k < n; k++) {
    const tp = right[k]!;
    const fp = wrong[k]!;
    const gained = tp - rightBefore;
    area += (fp - wrongBefore) * (rightBefore + gained / 2);
    // Within a step right and wrong come evenly mixed: precision halfway through it.
    if (gained > 0) precision += (gained * (tp + rightBefore)) / (tp + rightBefore + fp + wrongBefore);
    maxAmd = Math.max(maxAmd, tp + wrongs - fp);
    if (tp > 0) maxF05 = Math.max(maxF05, (1.25 * tp) / (tp + fp + 0.25 * rights));
    rightBefore = tp;
    wrongBefore = fp;
  }
  return {
    accuracy: rights / pixels,
    auroc: area / (rights * wrongs),
    aupr: precision / rights,
    maxAmd: maxAmd / pixels,
    maxF05: pixels === 0 ? Number.NaN : maxF05,
  };
}

/** What one image adds to a ratio. */
export interface Part {
  readonly part: number;
  readonly whole: number;
}

/** A ratio of sums over images, and how far it strays when whole images are drawn again and again. */
export interface Ratio {
  /** Null where there is nothing to divide by. */
  readonly value: number | null;
  /** Null with fewer than two images, or where most draws have nothing to divide by. */
  readonly interval: Interval | null;
}

export function ratioOf(
  images: readonly Part[],
  { replicates = 1000, seed = 0, level = 0.95 }: BootstrapOptions = {},
): Ratio {
  const draws = random(seed, "ratio");
  const ratio = (chosen: readonly Part[]): number =>
    chosen.reduce((sum, { part }) => sum + part, 0) / chosen.reduce((sum, { whole }) => sum + whole, 0);
  const value = ratio(images);
  if (!Number.isFinite(value)) return { value: null, interval: null };
  if (images.length < 2) return { value, interval: null };
  const found = Array.from({ length: replicates }, () => ratio(images.map(() => images[draws.below(images.length)]!)))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  if (found.length < replicates / 2) return { value, interval: null };
  return { value, interval: { low: quantile(found, (1 - level) / 2), high: quantile(found, (1 + level) / 2) } };
}
