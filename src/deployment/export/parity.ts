import { nearestMap, scaledLevels } from "../../data/images/scale.js";
import type { RgbImage } from "../../data/images/tensors.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { onePassPredictor, type Scorer } from "../../evaluation/predictors/onePass.js";
import type { Prediction } from "../../evaluation/predictors/predictor.js";
import { type ImageProgram, imageOutputs, sizeSeen } from "../../inference/imageOutputs.js";
import type { Score } from "../../methods/parts/networkOutputs.js";
import { UserError } from "../../platform/errors.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import { type ComparedOn, comparedOn, further, Otherwise } from "./disagreement.js";

/** What an exported model must compute: a method on a network, as evaluation does, and γ where it has one. */
export interface Reference {
  readonly network: InferenceNetwork;
  readonly scorer: Scorer;
  /** How far the class is ahead of the next, in the place of an uncertainty. */
  readonly lead: Score;
  readonly gamma?: number;
  /** How large things count as in an image of that size, of which evaluation gave these uncertainties. */
  sizes(uncertainty: Float32Array, seen: Extent): Sizes;
  /** How far uncertainty may differ, as a share of its size; and how close to another class, or to γ, a pixel must lie to be decided otherwise. */
  readonly allowed: number;
}

interface Extent {
  readonly height: number;
  readonly width: number;
}

/** What differences are divided by. */
export interface Sizes {
  /** Of an uncertainty, and of a distance to γ at that uncertainty. */
  uncertainty(u: number): number;
  readonly lead: number;
}

/** How an exported model differs from evaluation. */
export interface Parity extends ComparedOn {
  /** Largest difference of an uncertainty, as a share of its size. */
  readonly uncertainty: number;
  /** Pixels of another class, and the widest lead that such a pixel had, as a share of its size. */
  readonly otherClass: { readonly pixels: number; readonly margin: number };
  /** With γ: pixels certain in one and not in the other, and how far from γ the furthest of them lies, as a share of its size. */
  readonly otherCertain?: { readonly pixels: number; readonly margin: number };
  /** How far it may be off; null for a variant, which is to be less precise. */
  readonly allowed: number | null;
}

/** What a model computes for an image. */
export interface ModelPrediction extends Prediction {
  /** 1 where it is certain; only with γ. */
  readonly certain?: Uint8Array;
}

/** The outputs of an exported program, whatever its method. */
export async function predictionOf(model: ImageProgram, image: RgbImage): Promise<ModelPrediction> {
  const { class: predicted, uncertainty, similarity, certain } = await imageOutputs(model, image);
  return {
    predicted: predicted!.data as Uint8Array,
    uncertainty:
      similarity === undefined
        ? floats(uncertainty, "uncertainty")
        : floats(similarity, "similarity").map((value) => 1 - value),
    ...(certain !== undefined && { certain: certain.data as Uint8Array }),
  };
}

/**
 * Compare a model with what `gssl evaluate` computes, at every pixel of images of any size. They are scaled here without the rounding to
 * whole levels of files and training, which the model leaves out.
 */
export async function compareModel(
  predict: (image: RgbImage) => Promise<ModelPrediction>,
  runtime: Runtime,
  { network, scorer, lead, gamma, sizes, allowed }: Reference,
  images: readonly RgbImage[],
): Promise<Parity> {
  const leading: Scorer = { method: "lead", settings: {}, score: lead };
  const predictor = onePassPredictor(runtime, network, network.classes > 1 ? [scorer, leading] : [scorer]);
  const [otherClass, otherCertain] = [new Otherwise(), new Otherwise()];
  const least = gamma === undefined ? 0 : Math.fround(gamma);
  let worst = 0;
  try {
    for (const image of images) {
      const seen = sizeSeen(image, network.config.view.height);
      const [predictions] = await predictor.predict([scaledLevels(image, seen)]);
      const [wanted, ahead] = predictions!.map(({ predicted, uncertainty }) => ({
        predicted: nearestMap(predicted, seen, image),
        uncertainty: nearestMap(uncertainty, seen, image),
      }));
      const size = sizes(wanted!.uncertainty, seen);
      const found = await predict(image);
      for (let i = 0; i < wanted!.predicted.length; i++) {
        const u = wanted!.uncertainty[i]!;
        worst = further(worst, Math.abs(found.uncertainty[i]! - u) / size.uncertainty(u));
        if (found.predicted[i] !== wanted!.predicted[i]) otherClass.note(ahead!.uncertainty[i]! / size.lead);
        if (gamma === undefined) continue;
        const similarity = Math.fround(1 - u);
        if (found.certain![i] !== Number(similarity >= least))
          otherCertain.note(Math.abs(similarity - least) / size.uncertainty(u));
      }
    }
  } finally {
    await predictor.close();
  }
  return {
    ...comparedOn(images),
    uncertainty: worst,
    otherClass: { ...otherClass },
    ...(gamma !== undefined && { otherCertain: { ...otherCertain } }),
    allowed,
  };
}

/** Refuse a model that does not compute what evaluation does. `what` is for the message. */
export function requireParity({ uncertainty, otherClass, otherCertain, allowed }: Parity, what: string): void {
  if (allowed === null || Math.max(uncertainty, otherClass.margin, otherCertain?.margin ?? 0) <= allowed) return;
  const certainty =
    otherCertain === undefined
      ? ""
      : `, ${otherCertain.pixels} another certainty (up to ${otherCertain.margin} from γ)`;
  throw new UserError(
    `the exported model does not give the output of ${what}: uncertainty differs by up to ${uncertainty} of its size, ` +
      `${otherClass.pixels} pixels got another class (with a lead of up to ${otherClass.margin})${certainty}; allowed is ${allowed}`,
    {
      hint:
        "nothing was written; a covariance next to singular may multiply rounding that far, anything else is a defect of the " +
        "program, please report it",
    },
  );
}
