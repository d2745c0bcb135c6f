import {
  augrc,
  aurc,
  auroc,
  averagePrecision,
  averagePrecisionOfErrors,
  fprAtTpr,
  trapezoidPrecisionRecall,
} from "./areas.js";
import { atThreshold } from "./atThreshold.js";
import { bandsOf } from "./bands.js";
import { type Best, maxAmd, maxF05 } from "./best.js";
import { type BootstrapOptions, bootstrap, type Intervals } from "./bootstrap.js";
import { type Curves, curvesOf } from "./curves.js";
import type { Measured, Missing } from "./measured.js";
import { official500 } from "./official500.js";
import { largestUncertainty, pixelsOf } from "./sketch.js";
import type { SketchSet } from "./sketchSet.js";

export interface BestResult {
  readonly value: number;
  readonly pac: number;
  readonly threshold: number;
}

/** The metrics part of results/<dataset>/<method>.json. Numbers are over all pixels; null has its reason in `reasons`. */
export interface Result {
  readonly dataset: string;
  readonly method: string;
  readonly images: number;
  /** Images without a scored pixel. */
  readonly skipped: number;
  readonly pixels: number;
  readonly accuracy: number | null;
  readonly auroc: number | null;
  /** Average precision, positive = right. */
  readonly aupr: number | null;
  readonly auprTrapezoid: number | null;
  /** As the authors' tester computes it; see Z-24. */
  readonly auprOfficial500: number | null;
  /** Average precision, positive = wrong. */
  readonly auprError: number | null;
  readonly fpr95: number | null;
  readonly aurc: number | null;
  readonly augrc: number | null;
  readonly maxAmd: BestResult | null;
  readonly maxF05: BestResult | null;
  readonly atGamma: {
    readonly gamma: number;
    readonly threshold: number;
    readonly amd: number;
    readonly f05: number;
    readonly pac: number;
    readonly certain: number;
  } | null;
  /** What a score that knows nothing would get. */
  readonly chance: { readonly auroc: number; readonly aupr: number | null; readonly auprError: number | null };
  readonly uncertainty: { readonly largest: number | null };
  /** Most that each number can differ from the exact one over all pixels, by name. */
  readonly bounds: Readonly<Record<string, number>>;
  /** Why a number is null, by name. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Bootstrap over images. */
  readonly intervals?: Intervals;
  readonly curves?: Curves;
}

/** What a summary is of, and what it is to have. */
export interface SummaryOptions {
  readonly dataset: string;
  readonly method: string;
  /** γ as the method knows it, and the same as a threshold on uncertainty (certain means uncertainty ≤ threshold). */
  readonly gamma?: { readonly gamma: number; readonly threshold: number };
  readonly intervals?: BootstrapOptions;
  /** Points per curve. */
  readonly curves?: number;
}

/** All numbers of one method on one data set, from its sketches alone. */
export function summarise(set: SketchSet, { dataset, method, gamma, intervals, curves }: SummaryOptions): Result {
  const { total } = set;
  const pixels = pixelsOf(total);
  const bands = bandsOf(total);
  const bounds: Record<string, number> = {};
  const reasons: Record<string, string> = {};
  const note = (name: string, measured: Measured): number | null => {
    if (measured.value === null) reasons[name] = measured.reason;
    else bounds[name] = measured.bound;
    return measured.value;
  };
  const noteBest = (name: string, found: Best | Missing): BestResult | null => {
    if (note(name, found) === null || found.value === null) return null;
    return { value: found.value, pac: found.pac, threshold: found.threshold };
  };
  const accuracy = pixels === 0 ? null : total.rights / pixels;
  if (accuracy === null) reasons.accuracy = "no scored pixel";
  const area = auroc(total, bands);
  const here = gamma === undefined ? null : atThreshold(total, gamma.threshold);
  if (here !== null) {
    for (const name of ["amd", "f05", "pac", "certain"] as const) bounds[`atGamma.${name}`] = here[name].bound;
  }
  const result = {
    dataset,
    method,
    images: set.images.length,
    skipped: set.skipped.length,
    pixels,
    accuracy,
    auroc: note("auroc", area),
    aupr: note("aupr", averagePrecision(total, bands)),
    auprTrapezoid: note("auprTrapezoid", trapezoidPrecisionRecall(total, bands)),
    auprOfficial500: note("auprOfficial500", official500(total)),
    auprError: note("auprError", averagePrecisionOfErrors(total, bands)),
    fpr95: note("fpr95", fprAtTpr(total, 0.95, bands)),
    aurc: note("aurc", aurc(total, bands)),
    augrc: note("augrc", augrc(total, area)),
    maxAmd: noteBest("maxAmd", maxAmd(total, bands)),
    maxF05: noteBest("maxF05", maxF05(total, bands)),
    atGamma:
      gamma === undefined || here === null
        ? null
        : {
            ...gamma,
            amd: here.amd.value,
            f05: here.f05.value,
            pac: here.pac.value,
            certain: here.certain.value,
          },
    chance: { auroc: 0.5, aupr: accuracy, auprError: accuracy === null ? null : 1 - accuracy },
    uncertainty: { largest: pixels === 0 ? null : largestUncertainty(total) },
    bounds,
    reasons,
  };
  const centre = {
    accuracy,
    auroc: result.auroc,
    aupr: result.aupr,
    maxAmd: result.maxAmd?.value ?? null,
    maxF05: result.maxF05?.value ?? null,
  };
  return {
    ...result,
    ...(intervals === undefined ? {} : { intervals: bootstrap(set, centre, intervals) }),
    ...(curves === undefined ? {} : { curves: curvesOf(total, { points: curves, bands }) }),
  };
}
