import { accuracyOfDetection, type Counts, countsFrom, fBeta, rightAndCertain } from "./atThreshold.js";
import { type Bands, bandsOf } from "./bands.js";
import { floatAt } from "./floatKey.js";
import { type Known, type Missing, missing } from "./measured.js";
import { highOf, pixelsOf, type Sketch } from "./sketch.js";

/** The best a measure gets over all thresholds, with p(a,c) and the threshold there. */
export interface Best extends Known {
  readonly pac: number;
  readonly threshold: number;
}

/**
 * The threshold at which a measure is largest; of equals, the one with more right and certain pixels. Calling no pixel
 * certain and calling every pixel certain (threshold +∞) are both tried; they are reported as the number just below the
 * smallest uncertainty and as the largest one, which do the same and fit into JSON.
 */
function best(sketch: Sketch, measure: (counts: Counts) => number, bands: Bands = bandsOf(sketch)): Best | Missing {
  if (pixelsOf(sketch) === 0) return missing("no scored pixel");
  const { before, after, byEnd } = bands;
  const nothing = countsFrom(sketch, 0, 0);
  let chosen = nothing;
  let value = measure(nothing);
  let place = sketch.first - 1;
  let least = value; // surely reached
  let most = value; // surely not exceeded
  const consider = (counts: Counts, end: number) => {
    const here = measure(counts);
    if (here < value || (here === value && counts.tp <= chosen.tp)) return;
    chosen = counts;
    value = here;
    place = end;
  };
  for (const i of byEnd) {
    const rightAtLeast = after.rightAtLeast[i]!;
    const rightAtMost = after.rightAtMost[i]!;
    const wrongAtLeast = after.wrongAtLeast[i]!;
    const wrongAtMost = after.wrongAtMost[i]!;
    const guess = countsFrom(sketch, (rightAtLeast + rightAtMost) / 2, (wrongAtLeast + wrongAtMost) / 2);
    consider(guess, Math.min(highOf(sketch, i), sketch.last));
    least = Math.max(least, measure(countsFrom(sketch, rightAtLeast, wrongAtMost)));
    most = Math.max(most, measure(countsFrom(sketch, rightAtMost, wrongAtLeast)));
    // Inside a wide interval its right pixels may all have come and none of its wrong ones.
    if (sketch.bits[i]! > 0) {
      const started = before.rightAtLeast[i]! + bands.rightAround[i]! + sketch.right[i]!;
      most = Math.max(most, measure(countsFrom(sketch, started, before.wrongAtLeast[i]!)));
    }
  }
  return {
    value,
    bound: Math.max(most - value, value - least),
    pac: rightAndCertain(chosen),
    threshold: floatAt(place),
  };
}

/** MaxA_MD @ p(a,c). */
export const maxAmd = (sketch: Sketch, bands?: Bands): Best | Missing => best(sketch, accuracyOfDetection, bands);

/** MaxF0.5 @ p(a,c). */
export const maxF05 = (sketch: Sketch, bands?: Bands): Best | Missing =>
  best(sketch, (counts) => fBeta(counts, 0.5), bands);
