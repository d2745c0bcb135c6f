import type { RgbImage } from "../../data/images/tensors.js";
import { input } from "../../engine/graph/value.js";
import { argmax } from "../../engine/ops/reduce.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import type { Deployable } from "../../inference/deployable.js";
import { scoredBy } from "../../inference/scored.js";
import { WholeImages } from "../../inference/wholeImages.js";
import { prototypeScore } from "../../methods/gamma-ssl/prototypeScore.js";
import { storedPrototypes } from "../../methods/gamma-ssl/prototypes.js";
import { similarities } from "../../methods/gamma-ssl/segmentation.js";
import type { Score } from "../../methods/networkOutputs.js";
import { inferencePass } from "../../networks/layers/pass.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import { UserError } from "../../platform/errors.js";
import { networkOf } from "../../runs/openRun.js";
import type { DeployedModel, Prediction } from "../model/deployedModel.js";
import { type ComparedOn, comparedOn, further, lead, Otherwise } from "./disagreement.js";

/**
 * How far similarities may differ between the trained network and the exported model, and how close to another class, or to γ,
 * a pixel must lie to be decided otherwise. Rounding alone gave a fifth of it for the paper's network at 667 x 1332.
 */
export const TOLERANCE = 1e-5;

/** How the exported model answers beside the trained network. */
export interface Parity extends ComparedOn {
  /** Largest difference of a similarity. */
  readonly similarity: number;
  /** Pixels of another class, and the widest lead that such a pixel had in cosine similarity. */
  readonly otherClass: { readonly pixels: number; readonly margin: number };
  /** Pixels certain in one and not in the other, and how far from γ the furthest of them lies. */
  readonly otherCertain: { readonly pixels: number; readonly margin: number };
}

/** Compare on images of any size. */
export async function compareWith(
  model: DeployedModel,
  runtime: Runtime,
  { run, config, network, prototypes }: Deployable,
  images: readonly RgbImage[],
): Promise<Parity> {
  const vectors = input("prototypes", { dtype: "float32", shape: prototypes.shape });
  const own = prototypeScore(network, vectors, config.options);
  const margin: Score = ({ features }) => {
    const scores = upsampleScores(similarities(network.project(features, inferencePass), storedPrototypes(vectors)));
    return { predicted: argmax(scores, 1), uncertainty: lead(scores) };
  };
  const scores = run.classes > 1 ? { own, margin } : { own };
  const trained = new WholeImages(runtime, scoredBy(scores, networkOf(run).forward), { ...run.weights, prototypes });
  const gamma = Math.fround(model.info.gamma);
  const [otherClass, otherCertain] = [new Otherwise(), new Otherwise()];
  let worst = 0;
  for (const image of images) {
    const answers = await trained.run([image]);
    const wanted = {
      predicted: answers["own.predicted"]!.data,
      similarity: floats(answers["own.uncertainty"], "similarity").map((u) => 1 - u),
      margin: answers["margin.uncertainty"]?.data ?? [],
    };
    const found: Prediction = await model.predict(image);
    for (let i = 0; i < found.predicted.length; i++) {
      const similarity = wanted.similarity[i]!;
      worst = further(worst, Math.abs(found.similarity[i]! - similarity));
      if (found.predicted[i] !== Number(wanted.predicted[i])) otherClass.note(Number(wanted.margin[i]));
      if (found.certain[i] !== Number(similarity >= gamma)) otherCertain.note(Math.abs(similarity - gamma));
    }
  }
  await trained.close();
  return {
    ...comparedOn(images),
    similarity: worst,
    otherClass: { ...otherClass },
    otherCertain: { ...otherCertain },
  };
}

/** Refuse a model that does not answer as the network it was made of. */
export function requireParity({ similarity, otherClass, otherCertain }: Parity, run: string): void {
  const worst = Math.max(similarity, otherClass.margin, otherCertain.margin);
  if (worst <= TOLERANCE) return;
  throw new UserError(
    `the exported model does not answer as ${run} does: similarities differ by up to ${similarity}, ` +
      `${otherClass.pixels} pixels got another class (with a lead of up to ${otherClass.margin}), ` +
      `${otherCertain.pixels} another certainty (up to ${otherCertain.margin} from γ); allowed is ${TOLERANCE}`,
    { hint: "nothing was written; this is a defect of the program, please report it" },
  );
}
