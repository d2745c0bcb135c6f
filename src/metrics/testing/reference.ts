import type { Counts } from "../atThreshold.js";

/** One pixel, the slow way. */
export interface Pixel {
  readonly u: number;
  readonly right: boolean;
}

/** Certain pixels at each threshold that makes a difference, upwards, after "none": the definition, by looking at all. */
export function everyThreshold(pixels: readonly Pixel[]): (Counts & { readonly threshold: number })[] {
  const values = [...new Set(pixels.map(({ u }) => u))].sort((a, b) => a - b);
  return [Number.NEGATIVE_INFINITY, ...values].map((threshold) => {
    const count = (right: boolean, certain: boolean) =>
      pixels.filter((pixel) => pixel.right === right && pixel.u <= threshold === certain).length;
    return {
      threshold,
      tp: count(true, true),
      fp: count(false, true),
      fn: count(true, false),
      tn: count(false, false),
    };
  });
}

/** All pairs of a right and a wrong pixel. */
export function allPairsAuroc(pixels: readonly Pixel[]): number {
  const rights = pixels.filter((pixel) => pixel.right);
  const wrongs = pixels.filter((pixel) => !pixel.right);
  let wins = 0;
  for (const right of rights) for (const wrong of wrongs) wins += right.u < wrong.u ? 1 : right.u === wrong.u ? 0.5 : 0;
  return wins / (rights.length * wrongs.length);
}

/** Sum over thresholds of precision times the recall gained, as in scikit-learn. */
export function stepAveragePrecision(pixels: readonly Pixel[]): number {
  const points = everyThreshold(pixels);
  const rights = points[0]!.fn;
  return points.slice(1).reduce((so, { tp, fp }, k) => so + ((tp - points[k]!.tp) / rights) * (tp / (tp + fp)), 0);
}

export const swapped = (pixels: readonly Pixel[]): Pixel[] => pixels.map(({ u, right }) => ({ u: -u, right: !right }));

export function trapezoid(pixels: readonly Pixel[]): number {
  const points = everyThreshold(pixels);
  const rights = points[0]!.fn;
  const precision = ({ tp, fp }: Counts) => (tp + fp === 0 ? 1 : tp / (tp + fp));
  return points
    .slice(1)
    .reduce(
      (so, here, k) => so + (((here.tp - points[k]!.tp) / rights) * (precision(here) + precision(points[k]!))) / 2,
      0,
    );
}

export function official(pixels: readonly Pixel[]): number {
  const top = Math.max(...pixels.map(({ u }) => u));
  const rights = pixels.filter(({ right }) => right).length;
  let [area, recallBefore, precisionBefore] = [0, 0, 0];
  for (let k = 0; k < 500; k++) {
    const threshold = k === 499 ? top : (top * k) / 499;
    const certain = pixels.filter(({ u }) => u <= threshold);
    const tp = certain.filter(({ right }) => right).length;
    const [recall, precision] = [tp / rights, certain.length === 0 ? 0 : tp / certain.length];
    area += ((recall - recallBefore) * (precision + precisionBefore)) / 2;
    [recallBefore, precisionBefore] = [recall, precision];
  }
  return area;
}

export function meanRisk(pixels: readonly Pixel[]): number {
  const risk = (u: number) => {
    const certain = pixels.filter((pixel) => pixel.u <= u);
    return certain.filter(({ right }) => !right).length / certain.length;
  };
  return pixels.reduce((so, { u }) => so + risk(u), 0) / pixels.length;
}

/** Area under (coverage, wrong and accepted share), trapezoid rule. */
export function generalisedRisk(pixels: readonly Pixel[]): number {
  const points = everyThreshold(pixels);
  const n = pixels.length;
  return points
    .slice(1)
    .reduce(
      (so, { tp, fp }, k) => so + ((tp + fp - points[k]!.tp - points[k]!.fp) / n) * ((fp + points[k]!.fp) / 2 / n),
      0,
    );
}

export function fpr95(pixels: readonly Pixel[]): number {
  const here = everyThreshold(pixels).find(({ tp, fn }) => tp >= 0.95 * (tp + fn) - 1e-9)!;
  return here.fp / (here.fp + here.tn);
}
