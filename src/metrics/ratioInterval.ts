import { random } from "../engine/tensor/random.js";
import { type BootstrapOptions, type Interval, quantile } from "./bootstrap.js";

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
