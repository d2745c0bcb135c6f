import { type Random, random } from "../engine/tensor/random.js";
import { UserError } from "../platform/errors.js";
import { accuracyOfDetection, atThreshold, type Counts, fBeta } from "./atThreshold.js";
import { maxF05 } from "./best.js";
import { type GridSum, imageGrid, sumImages } from "./imageGrid.js";
import type { Sketch } from "./sketch.js";
import type { SketchSet } from "./sketchSet.js";

const objectives = {
  amd: accuracyOfDetection,
  f05: (counts: Counts) => fBeta(counts, 0.5),
} as const;
export type Objective = keyof typeof objectives;

export interface StudyOptions {
  /** How many labelled images the threshold may be chosen on. */
  readonly labelled?: readonly number[];
  readonly trials?: number;
  readonly seed?: number;
  readonly objective?: Objective;
}

export interface ThresholdStudy {
  readonly objective: Objective;
  /** Best over all thresholds on all images at once: known only in hindsight. */
  readonly oracle: { readonly value: number; readonly threshold: number };
  /** One row per number of labelled images, one value per trial. Numbers that leave no image to test on are left out. */
  readonly rows: readonly {
    readonly labelled: number;
    readonly values: Float64Array;
    readonly thresholds: Float64Array;
  }[];
}

/** How good is a threshold chosen on n random labelled images, on the remaining ones? (Fig. 6; n = 0 is γ, see `atThreshold`.) */
export function thresholdStudy(
  set: SketchSet,
  { labelled = [1, 2, 5, 10, 20, 50], trials = 100, seed = 0, objective = "amd" }: StudyOptions = {},
): ThresholdStudy {
  const grid = imageGrid(set, 1024);
  if (grid.images < 2) throw new UserError(`threshold study: ${grid.images} images, at least 2 are needed`);
  const all = sumImages(grid, new Uint8Array(grid.images).fill(1));
  const at = bestIndex(all, objective);
  const rows = labelled
    .filter((n) => n > 0 && n < grid.images)
    .map((n) => {
      // Keyed by n: a row does not depend on which other rows are asked for.
      const draws = random(seed, "threshold study", n);
      const values = new Float64Array(trials);
      const thresholds = new Float64Array(trials);
      for (let trial = 0; trial < trials; trial++) {
        const chosen = new Uint8Array(grid.images);
        for (const image of drawWithout(grid.images, n, draws)) chosen[image] = 1;
        const seen = sumImages(grid, chosen);
        const k = bestIndex(seen, objective);
        const rest = {
          right: all.right.map((x, i) => x - seen.right[i]!),
          wrong: all.wrong.map((x, i) => x - seen.wrong[i]!),
        };
        values[trial] = objectives[objective](countsOf(rest, k));
        thresholds[trial] = grid.thresholds[k]!;
      }
      return { labelled: n, values, thresholds };
    });
  return {
    objective,
    oracle: { value: objectives[objective](countsOf(all, at)), threshold: grid.thresholds[at]! },
    rows,
  };
}

function countsOf({ right, wrong }: GridSum, k: number): Counts {
  return { tp: right[k]!, fp: wrong[k]!, fn: right.at(-1)! - right[k]!, tn: wrong.at(-1)! - wrong[k]! };
}

/** Of equals the larger threshold, which has the larger p(a,c). */
function bestIndex(sum: GridSum, objective: Objective): number {
  let at = 0;
  for (let k = 1; k < sum.right.length; k++) {
    if (objectives[objective](countsOf(sum, k)) >= objectives[objective](countsOf(sum, at))) at = k;
  }
  return at;
}

export interface CrossThreshold {
  readonly domain: string;
  /** F0.5 at the best threshold of this domain, and at the best one of the model's own domain. */
  readonly best: number;
  readonly carried: number;
  /** 100·(carried / best - 1). */
  readonly changePercent: number;
}

/** Does the threshold that is best at home do elsewhere? (Table 11.) Domains without a right pixel are left out. */
export function crossThresholds(home: string, domains: ReadonlyMap<string, Sketch>): CrossThreshold[] {
  const own = domains.get(home);
  const ownBest = own === undefined ? undefined : maxF05(own);
  if (ownBest === undefined || ownBest.value === null) {
    throw new UserError(`cross-domain thresholds: no scored pixel in home domain "${home}"`, {
      hint: `domains given: ${[...domains.keys()].join(", ")}`,
    });
  }
  return [...domains].flatMap(([domain, sketch]) => {
    const here = maxF05(sketch);
    const there = atThreshold(sketch, ownBest.threshold);
    if (here.value === null || here.value === 0 || there === null) return [];
    const carried = there.f05.value;
    return [{ domain, best: here.value, carried, changePercent: 100 * (carried / here.value - 1) }];
  });
}

/** `count` different numbers out of 0 … n-1, in random order. */
function drawWithout(n: number, count: number, random: Random): number[] {
  const deck = Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const j = i + random.below(n - i);
    [deck[i], deck[j]] = [deck[j]!, deck[i]!];
  }
  return deck.slice(0, count);
}
