import { quantile } from "./bootstrap.js";

/** What a box plot shows of some values. */
export interface Box {
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  /** The smallest and the largest value within one and a half box heights of the box. */
  readonly low: number;
  readonly high: number;
  /** The values beyond, upwards. */
  readonly outliers: readonly number[];
}

/** Quartiles, whiskers and outliers (Tukey) of at least one value. */
export function boxOf(values: ArrayLike<number>): Box {
  const sorted = Float64Array.from(values).sort();
  const [lowerQuartile, median, upperQuartile] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share)) as [
    number,
    number,
    number,
  ];
  const reach = 1.5 * (upperQuartile - lowerQuartile);
  const near = sorted.filter((value) => value >= lowerQuartile - reach && value <= upperQuartile + reach);
  return {
    lowerQuartile,
    median,
    upperQuartile,
    low: near[0]!,
    high: near.at(-1)!,
    outliers: [...sorted].filter((value) => value < near[0]! || value > near.at(-1)!),
  };
}
