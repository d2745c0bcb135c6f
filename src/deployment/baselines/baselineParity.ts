import type { RgbImage } from "../../data/images/tensors.js";
import { div, maximum, number } from "../../engine/ops/elementwise.js";
import { max } from "../../engine/ops/reduce.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { onePassPredictor, type Scorer } from "../../evaluation/predictors/onePass.js";
import { UserError } from "../../platform/errors.js";
import { type ComparedOn, comparedOn, further, lead, Otherwise } from "../export/disagreement.js";
import type { Baseline } from "./baseline.js";
import type { BaselineModel } from "./baselineModel.js";

/**
 * How far uncertainty may differ between evaluation and the exported model, as a share of its size; and how close to another
 * class a pixel must lie to be decided otherwise. Distances multiply the rounding of features: a mixture on a small trained
 * network reached an eighth of it.
 */
export const BASELINE_TOLERANCE = 1e-4;

/** How an exported baseline answers beside the evaluation. */
export interface BaselineParity extends ComparedOn {
  /** Largest difference of an uncertainty, as a share of its size (see `sizeOf`). */
  readonly uncertainty: number;
  /** Pixels of another class, and the widest lead that such a pixel had, as a share of its score where that is above 1. */
  readonly otherClass: { readonly pixels: number; readonly margin: number };
}

/** The lead of the class, in the place of an uncertainty. */
const leading: Scorer = {
  method: "lead",
  settings: {},
  score: ({ scores, predicted }) => ({
    predicted,
    uncertainty: div(lead(scores), maximum(max(scores, [1]), number(1))),
  }),
};

/** Compare with what `gssl evaluate` computes, on images of any size. */
export async function compareBaseline(
  model: Pick<BaselineModel, "predict">,
  runtime: Runtime,
  { network, scorer }: Pick<Baseline, "network" | "scorer">,
  images: readonly RgbImage[],
): Promise<BaselineParity> {
  const predictor = onePassPredictor(runtime, network, network.classes > 1 ? [scorer, leading] : [scorer]);
  const otherClass = new Otherwise();
  let worst = 0;
  try {
    for (const image of images) {
      const [predictions] = await predictor.predict([image]);
      const [wanted, ahead] = predictions!;
      const size = sizeOf(wanted!.uncertainty);
      const found = await model.predict(image);
      for (let i = 0; i < found.predicted.length; i++) {
        const u = wanted!.uncertainty[i]!;
        worst = further(worst, Math.abs(found.uncertainty[i]! - u) / size(u));
        if (found.predicted[i] !== wanted!.predicted[i]) otherClass.note(ahead!.uncertainty[i]!);
      }
    }
  } finally {
    await predictor.close();
  }
  return { ...comparedOn(images), uncertainty: worst, otherClass: { ...otherClass } };
}

/**
 * How large an uncertainty counts as, among those of its image: |u|, or the mean of all |u| where that is larger, at least 1.
 * The zero of a log density lies anywhere, so a share of |u| alone would mean nothing near it.
 */
export function sizeOf(uncertainty: Float32Array): (u: number) => number {
  const mean = uncertainty.reduce((total, u) => total + Math.abs(u), 0) / uncertainty.length;
  return (u) => Math.max(1, mean, Math.abs(u));
}

/** Refuse a model that does not answer as evaluation does. */
export function requireBaselineParity({ uncertainty, otherClass }: BaselineParity, method: string, run: string): void {
  if (Math.max(uncertainty, otherClass.margin) <= BASELINE_TOLERANCE) return;
  throw new UserError(
    `the exported model does not answer as "${method}" of ${run} does: uncertainty differs by up to ${uncertainty} of its size, ` +
      `${otherClass.pixels} pixels got another class (with a lead of up to ${otherClass.margin}); allowed is ${BASELINE_TOLERANCE}`,
    {
      hint: "nothing was written; a covariance next to singular may multiply rounding that far, anything else is a defect of the program, please report it",
    },
  );
}
