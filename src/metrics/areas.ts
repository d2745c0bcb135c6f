import { type Bands, bandsOf, mirrored } from "./bands.js";
import { between, type Measured, missing, oneSided } from "./measured.js";
import { pixelsOf, type Sketch } from "./sketch.js";

/**
 * AUROC: the chance that a random wrong pixel is less certain than a random right one, ties counting one half.
 *
 * A right and a wrong pixel whose intervals overlap may be in either order; such a pair counts one half too, so the
 * error is at most half the share of such pairs. (A true tie, two pixels of one single number, is no error.)
 */
export function auroc(sketch: Sketch, bands: Bands = bandsOf(sketch)): Measured {
  const reason = oneSided(sketch);
  if (reason !== undefined) return missing(reason);
  const { bits, right, wrong } = sketch;
  let wins = 0;
  let halves = 0;
  let unsure = 0;
  for (let i = 0; i < bits.length; i++) {
    const here = right[i]! * wrong[i]!;
    const around = right[i]! * bands.wrongAround[i]! + wrong[i]! * bands.rightAround[i]!;
    wins += wrong[i]! * bands.before.rightAtLeast[i]!;
    halves += here + around;
    unsure += around + (bits[i]! > 0 ? here : 0);
  }
  const pairs = sketch.rights * sketch.wrongs;
  return { value: (wins + halves / 2) / pairs, bound: unsure / 2 / pairs };
}

/**
 * AUPR as average precision: for each right pixel the precision among all pixels at most as uncertain, averaged. Its
 * chance level is the accuracy. Per interval the precision is known to lie in a range, and the ranges add up.
 */
export function averagePrecision(sketch: Sketch, bands: Bands = bandsOf(sketch)): Measured {
  if (sketch.rights === 0) return missing(oneSided(sketch) ?? "no right pixel");
  const { bits, right } = sketch;
  const { before, after } = bands;
  let least = 0;
  let most = 0;
  for (let i = 0; i < bits.length; i++) {
    const here = right[i]!;
    if (here === 0) continue;
    if (bits[i] === 0) {
      least += here * share(after.rightAtLeast[i]!, after.wrongAtMost[i]!);
      most += here * share(after.rightAtMost[i]!, after.wrongAtLeast[i]!);
    } else {
      // At worst all wrong pixels come first and the k-th right one has k - 1 before it: the sum is at least this integral.
      const start = before.rightAtLeast[i]!;
      const wrongs = after.wrongAtMost[i]!;
      least += wrongs === 0 ? here : here - wrongs * Math.log1p(here / (start + wrongs));
      most += here * share(after.rightAtMost[i]!, before.wrongAtLeast[i]!);
    }
  }
  return between(least / sketch.rights, most / sketch.rights);
}

/** AUPR with wrong as the positive class: how well high uncertainty finds the errors. Chance level: 1 - accuracy. */
export function averagePrecisionOfErrors(sketch: Sketch, bands: Bands = bandsOf(sketch)): Measured {
  if (sketch.wrongs === 0) return missing(oneSided(sketch) ?? "no wrong pixel");
  return averagePrecision(mirrored(sketch, bands));
}

/**
 * AUPR by the trapezoid rule over all thresholds, the curve starting at (recall 0, precision 1): what
 * `auc(precision_recall_curve)` gives. Optimistic; kept for comparison with papers that used it.
 */
export function trapezoidPrecisionRecall(sketch: Sketch, bands: Bands = bandsOf(sketch)): Measured {
  if (sketch.rights === 0) return missing(oneSided(sketch) ?? "no right pixel");
  const { bits, right } = sketch;
  const { before, after } = bands;
  let least = 0;
  let most = 0;
  for (let i = 0; i < bits.length; i++) {
    const here = right[i]!;
    if (bits[i] === 0) {
      const leastBefore = share(before.rightAtLeast[i]!, before.wrongAtMost[i]!);
      const mostBefore = share(before.rightAtMost[i]!, before.wrongAtLeast[i]!);
      least += (here * (leastBefore + share(after.rightAtLeast[i]!, after.wrongAtMost[i]!))) / 2;
      most += (here * (mostBefore + share(after.rightAtMost[i]!, after.wrongAtLeast[i]!))) / 2;
    } else {
      least += here * share(before.rightAtLeast[i]!, after.wrongAtMost[i]!);
      most += here * share(after.rightAtMost[i]!, before.wrongAtLeast[i]!);
    }
  }
  return between(least / sketch.rights, most / sketch.rights);
}

/** Part of two counts; 1 of nothing, as the precision of an empty selection is drawn. */
const share = (part: number, rest: number): number => (part + rest === 0 ? 1 : part / (part + rest));

/**
 * FPR@TPR: of the wrong pixels, the share still called certain at the lowest threshold that keeps `keep` of the right ones.
 */
export function fprAtTpr(sketch: Sketch, keep = 0.95, bands: Bands = bandsOf(sketch)): Measured {
  const reason = oneSided(sketch);
  if (reason !== undefined) return missing(reason);
  const { before, after, byEnd } = bands;
  const wanted = keep * sketch.rights * (1 - 1e-12); // 0.95 is not a binary fraction: 19 of 20 must do
  const surely = byEnd.find((i) => after.rightAtLeast[i]! >= wanted)!;
  const started = (i: number) => before.rightAtLeast[i]! + bands.rightAround[i]! + sketch.right[i]!;
  const possibly = sketch.right.findIndex((_, i) => started(i) >= wanted);
  const least = sketch.bits[possibly] === 0 ? after.wrongAtLeast[possibly]! : before.wrongAtLeast[possibly]!;
  return between(least / sketch.wrongs, after.wrongAtMost[surely]! / sketch.wrongs);
}

/**
 * AURC: the error rate among the pixels at most as uncertain, averaged over all pixels. Lower is better. Ties enter
 * together, so a constant score gives the error rate itself.
 */
export function aurc(sketch: Sketch, bands: Bands = bandsOf(sketch)): Measured {
  const pixels = pixelsOf(sketch);
  if (pixels === 0) return missing("no scored pixel");
  const { before, after } = bands;
  let least = 0;
  let most = 0;
  for (let i = 0; i < sketch.bits.length; i++) {
    const here = sketch.right[i]! + sketch.wrong[i]!;
    const start = sketch.bits[i] === 0 ? after : before;
    least += here * (1 - share(after.rightAtMost[i]!, start.wrongAtLeast[i]!));
    most += here * (1 - share(start.rightAtLeast[i]!, after.wrongAtMost[i]!));
  }
  return between(least / pixels, most / pixels);
}

/**
 * AUGRC (Traub et al., 2024): the share of all pixels that are wrong and yet accepted, averaged over coverage. It equals
 * (1 - AUROC)·a·(1 - a) + (1 - a)²/2 with a the accuracy, which is how we compute it. Lower is better.
 */
export function augrc(sketch: Sketch, area: Measured = auroc(sketch)): Measured {
  const pixels = pixelsOf(sketch);
  if (pixels === 0) return missing("no scored pixel");
  const accuracy = sketch.rights / pixels;
  const all = (1 - accuracy) ** 2 / 2;
  if (area.value === null) return { value: all, bound: 0 };
  const mixed = accuracy * (1 - accuracy);
  return { value: (1 - area.value) * mixed + all, bound: area.bound * mixed };
}
