import { certainCounts } from "./atThreshold.js";
import { keyAtMost } from "./floatKey.js";
import { type Measured, missing, oneSided } from "./measured.js";
import { largestUncertainty, type Sketch } from "./sketch.js";

const thresholds = 500;

/**
 * AUPR as the authors' tester computes it: 500 evenly spaced thresholds from 0 to the largest uncertainty, undefined
 * precision set to 0, so the curve starts at (recall 0, precision 0), and the trapezoid rule. Scores that pile up between two
 * thresholds lose up to half their area: a constant score gets accuracy / 2 (Z-24). For comparison only.
 */
export function official500(sketch: Sketch): Measured {
  if (sketch.rights === 0) return missing(oneSided(sketch) ?? "no right pixel");
  const top = largestUncertainty(sketch);
  if (top < 0) return missing("thresholds from 0 to the largest uncertainty need one that is not negative");
  const places = Float64Array.from({ length: thresholds }, (_, k) => keyAtMost((top * k) / (thresholds - 1)));
  places[thresholds - 1] = sketch.last;
  const certain = certainCounts(sketch, places);
  let area = 0;
  let precisionError = 0; // how far the precision may be off, weighted by the most recall gained in that step
  let recallError = 0; // the most any recall is off
  let variation = 0; // how much the precision moves up and down in all
  let recallBefore = 0;
  let precisionBefore = 0;
  let slackBefore = 0;
  let leastRightBefore = 0;
  for (let k = 0; k < thresholds; k++) {
    const leastRight = certain.rightAtLeast[k]!;
    const mostRight = certain.rightAtMost[k]!;
    const leastWrong = certain.wrongAtLeast[k]!;
    const mostWrong = certain.wrongAtMost[k]!;
    const recall = (leastRight + mostRight) / 2 / sketch.rights;
    const precision = share((leastRight + mostRight) / 2, (leastWrong + mostWrong) / 2);
    const slack = Math.max(share(mostRight, leastWrong) - precision, precision - share(leastRight, mostWrong));
    const recallSlack = (mostRight - leastRight) / 2 / sketch.rights;
    area += ((recall - recallBefore) * (precision + precisionBefore)) / 2;
    recallError = Math.max(recallError, recallSlack);
    precisionError += ((mostRight - leastRightBefore) / sketch.rights) * Math.max(slack, slackBefore);
    variation += Math.abs(precision - precisionBefore);
    recallBefore = recall;
    precisionBefore = precision;
    slackBefore = slack;
    leastRightBefore = leastRight;
  }
  // Summation by parts turns an error of the recall, which is 0 at both ends, into one times the ups and downs of precision.
  return { value: area, bound: precisionError + recallError * variation };
}

const share = (part: number, rest: number): number => (part === 0 ? 0 : part / (part + rest));
