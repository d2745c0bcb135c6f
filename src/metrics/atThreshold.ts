import { keyAtMost } from "./floatKey.js";
import { type Known, type Measured, missing } from "./measured.js";
import { highOf, pixelsOf, type Sketch } from "./sketch.js";

/**
 * Pixels at a threshold, in the paper's words (Table 1): positive means right, certain means uncertainty ≤ threshold.
 * TP right and certain, FP wrong and certain, FN right and uncertain, TN wrong and uncertain.
 */
export interface Counts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
}

/** F_β = (1+β²)TP / ((1+β²)TP + FP + β²FN); 0 when nothing right is certain. */
export function fBeta({ tp, fp, fn }: Counts, beta = 0.5): number {
  const weight = 1 + beta * beta;
  return tp === 0 ? 0 : (weight * tp) / (weight * tp + fp + beta * beta * fn);
}

/** A_MD, the accuracy of misclassification detection: how often "certain" and "right" agree. */
export const accuracyOfDetection = ({ tp, fp, fn, tn }: Counts): number => (tp + tn) / (tp + fp + fn + tn);

/** p(a,c): the share of pixels that are both right and certain. At most the segmentation accuracy. */
export const rightAndCertain = ({ tp, fp, fn, tn }: Counts): number => tp / (tp + fp + fn + tn);

/** How many right and wrong pixels are certain at each threshold: surely, and possibly. */
export interface CertainCounts {
  readonly rightAtLeast: Float64Array;
  readonly rightAtMost: Float64Array;
  readonly wrongAtLeast: Float64Array;
  readonly wrongAtMost: Float64Array;
}

/** For places sorted upwards; one pass over the sketch. */
export function certainCounts(sketch: Sketch, places: ArrayLike<number>): CertainCounts {
  const n = places.length;
  const columns = Array.from({ length: 4 }, () => new Float64Array(n + 1));
  const [rightAtLeast, rightAtMost, wrongAtLeast, wrongAtMost] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let i = 0; i < sketch.low.length; i++) {
    const possible = firstAtLeast(places, sketch.low[i]!);
    const sure = sketch.bits[i] === 0 ? possible : firstAtLeast(places, Math.min(highOf(sketch, i), sketch.last));
    rightAtMost[possible]! += sketch.right[i]!;
    wrongAtMost[possible]! += sketch.wrong[i]!;
    rightAtLeast[sure]! += sketch.right[i]!;
    wrongAtLeast[sure]! += sketch.wrong[i]!;
  }
  for (const column of columns) for (let i = 1; i <= n; i++) column[i]! += column[i - 1]!;
  return { rightAtLeast, rightAtMost, wrongAtLeast, wrongAtMost };
}

/** Index of the first of the sorted values that is at least `value`; their number when none is. */
function firstAtLeast(sorted: ArrayLike<number>, value: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

export const countsFrom = (sketch: Sketch, tp: number, fp: number): Counts => ({
  tp,
  fp,
  fn: sketch.rights - tp,
  tn: sketch.wrongs - fp,
});

/** The best guess, and the two extremes that the sketch allows: most right and least wrong certain, and the reverse. */
export function countsAt(sketch: Sketch, threshold: number): { guess: Counts; best: Counts; worst: Counts } {
  const { rightAtLeast, rightAtMost, wrongAtLeast, wrongAtMost } = certainCounts(sketch, [keyAtMost(threshold)]);
  return {
    guess: countsFrom(sketch, (rightAtLeast[0]! + rightAtMost[0]!) / 2, (wrongAtLeast[0]! + wrongAtMost[0]!) / 2),
    best: countsFrom(sketch, rightAtMost[0]!, wrongAtLeast[0]!),
    worst: countsFrom(sketch, rightAtLeast[0]!, wrongAtMost[0]!),
  };
}

/** What a threshold on uncertainty gives. */
export interface AtThreshold {
  readonly threshold: number;
  readonly amd: Known;
  readonly f05: Known;
  readonly pac: Known;
  readonly certain: Known;
  /** Share of the certain pixels that are right; missing when no pixel is certain. */
  readonly precision: Measured;
}

/** Everything the paper reports at one threshold. Null when there is no pixel. */
export function atThreshold(sketch: Sketch, threshold: number): AtThreshold | null {
  const pixels = pixelsOf(sketch);
  if (pixels === 0) return null;
  const { guess, best, worst } = countsAt(sketch, threshold);
  const known = (measure: (counts: Counts) => number): Known => {
    const value = measure(guess);
    return { value, bound: Math.max(Math.abs(measure(best) - value), Math.abs(value - measure(worst))) };
  };
  const certain = guess.tp + guess.fp;
  return {
    threshold,
    amd: known(accuracyOfDetection),
    f05: known((counts) => fBeta(counts, 0.5)),
    pac: known(rightAndCertain),
    certain: { value: certain / pixels, bound: (best.tp - worst.tp + worst.fp - best.fp) / 2 / pixels },
    precision:
      certain === 0 ? missing("no certain pixel") : known(({ tp, fp }) => (tp + fp === 0 ? 0 : tp / (tp + fp))),
  };
}
