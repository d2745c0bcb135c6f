import { accuracyOfDetection, certainCounts, countsFrom, fBeta } from "./atThreshold.js";
import { bandsOf } from "./bands.js";
import { floatAt, keyAtMost } from "./floatKey.js";
import { highOf, pixelsOf, type Sketch } from "./sketch.js";

/** As many as fit into a byte a pixel. */
export const MOST_LEVELS = 256;

/**
 * A few hundred thresholds, upwards, each of which lets about as many more pixels through as the one before: a slider over
 * them is even, whatever the scores are. The first lets nothing through, the last everything. Those asked for `exactly`
 * are among them, and push aside neighbours that could be mistaken for them.
 */
export function thresholdLevels(sketch: Sketch, exactly: readonly number[] = []): number[] {
  const pixels = pixelsOf(sketch);
  if (pixels === 0) return [];
  const [least, most] = [floatAt(sketch.first - 1), floatAt(sketch.last)];
  const wanted = [...new Set(exactly.map((value) => Math.min(most, Math.max(least, value))))];
  const room = MOST_LEVELS - wanted.length - 2;
  const { after, byEnd } = bandsOf(sketch);
  const even = new Set<number>();
  let next = 1;
  for (const i of byEnd) {
    const certain =
      (after.rightAtLeast[i]! + after.rightAtMost[i]! + after.wrongAtLeast[i]! + after.wrongAtMost[i]!) / 2;
    if (certain < (next / room) * pixels) continue;
    even.add(floatAt(Math.min(highOf(sketch, i), sketch.last)));
    next = Math.floor((certain / pixels) * room) + 1;
  }
  const shares = new Map(
    levelTable(
      sketch,
      [...even, ...wanted].sort((a, b) => a - b),
    ).map(({ threshold, certain }) => [threshold, certain]),
  );
  const near = (threshold: number) =>
    wanted.some((value) => Math.abs(shares.get(value)! - shares.get(threshold)!) < 0.4 / room);
  const kept = [...even].filter((threshold) => !near(threshold));
  return [...new Set([least, ...kept, ...wanted, most])].sort((a, b) => a - b);
}

/** What happens at one threshold; rates are null where there is nothing to divide by. */
export interface Level {
  readonly threshold: number;
  /** Share of pixels that are certain here. */
  readonly certain: number;
  /** Share of the certain pixels that are right. */
  readonly precision: number | null;
  /** Shares of the right and of the wrong pixels that are certain. */
  readonly tpr: number | null;
  readonly fpr: number | null;
  readonly pac: number;
  readonly amd: number;
  readonly f05: number;
}

/** Thresholds sorted upwards; best guesses where a threshold cuts an interval of the sketch. Empty without a pixel. */
export function levelTable(sketch: Sketch, thresholds: readonly number[]): Level[] {
  const pixels = pixelsOf(sketch);
  if (pixels === 0) return [];
  const columns = certainCounts(sketch, thresholds.map(keyAtMost));
  const over = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return thresholds.map((threshold, k) => {
    const tp = (columns.rightAtLeast[k]! + columns.rightAtMost[k]!) / 2;
    const fp = (columns.wrongAtLeast[k]! + columns.wrongAtMost[k]!) / 2;
    const counts = countsFrom(sketch, tp, fp);
    return {
      threshold,
      certain: (tp + fp) / pixels,
      precision: over(tp, tp + fp),
      tpr: over(tp, sketch.rights),
      fpr: over(fp, sketch.wrongs),
      pac: tp / pixels,
      amd: accuracyOfDetection(counts),
      f05: fBeta(counts),
    };
  });
}
