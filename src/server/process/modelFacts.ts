import { descriptionOf, type ModelDescription } from "../../deployment/model/modelDescription.js";
import { infoOf } from "../../deployment/model/modelInfo.js";
import { signatureFor } from "../../deployment/model/segment.js";
import { readModel } from "../../engine/onnx/readModel.js";
import { mostUncertain } from "../../methods/gamma-ssl/score.js";
import { UserError } from "../../platform/errors.js";

/** What answers need to know of a model besides how to compute. */
export interface ModelFacts {
  readonly description: ModelDescription;
  /** The largest uncertainty there can be; null for a baseline, whose uncertainty has no bound. */
  readonly mostUncertain: number | null;
}

/** Look into the bytes of a model without running it: refuses whatever is no model of ours. `file` is for messages. */
export function modelFacts(bytes: Uint8Array, file: string): ModelFacts {
  const { metadata } = readModel(bytes, file);
  const description = descriptionOf(metadata, file);
  if (description.gamma === null) return { description, mostUncertain: null };
  return { description, mostUncertain: mostUncertain(infoOf(metadata, file).score) };
}

/** Outputs of a model, in the words of the Open Inference Protocol too. */
export const outputNames = (description: ModelDescription): string[] => [...signatureFor(description).outputs.keys()];

/** The γ to answer with: that of the request, or the model's; null for a baseline, which takes none. */
export function gammaOf(
  { description: { gamma, method }, mostUncertain }: ModelFacts,
  asked: number | undefined,
): number | null {
  if (asked === undefined) return gamma;
  if (mostUncertain !== null) {
    const least = 1 - mostUncertain;
    if (asked >= least && asked <= 1) return asked;
    throw new UserError(`gamma is ${asked}, wanted a number from ${least} to 1`, {
      hint: `certain are pixels of at least that similarity; the model's own γ is ${gamma}`,
    });
  }
  throw new UserError(`the model computes "${method}", which has no γ`, { hint: "leave gamma out" });
}
