import type { RgbImage } from "../../data/images/tensors.js";
import { readModel } from "../../engine/onnx/readModel.js";
import type { Runtime, Signature } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { type ImageProgram, imageOutputs } from "../../inference/imageOutputs.js";
import { baselineSignature, deployedSignature } from "../../methods/parts/deployedSignature.js";
import { UserError } from "../../platform/errors.js";
import { descriptionOf, type ModelDescription } from "./modelDescription.js";
import { requireSealed } from "./modelSeal.js";
import { isOutOfDomain } from "./outOfDomain.js";

/** What a model says about an image, row by row, at the image's own size. */
export interface Segmentation {
  readonly width: number;
  readonly height: number;
  /** Index in `names` of each pixel's class. */
  readonly classes: Uint8Array;
  /** Larger is less certain. With γ: one minus the similarity that γ is compared with. */
  readonly uncertainty: Float32Array;
  /** 1 where the model is certain, else 0; null for a baseline, which has no γ. */
  readonly certain: Uint8Array | null;
  /** Share of pixels that are certain; null for a baseline. */
  readonly certainShare: number | null;
  /** How far the image is from those of the training, 1 at the limit; null for a baseline, which does not measure it. */
  readonly distance: number | null;
  /** Whether that is beyond the limit. If not, the image may still be unlike them: see docs/deploying.md. Null for a baseline. */
  readonly outOfDomain: boolean | null;
  /** Names and colours of the classes. */
  readonly names: readonly string[];
  readonly colours: readonly (readonly [red: number, green: number, blue: number])[];
}

/** A model that is loaded: what the `Segmenter` of Node and that of browsers have in common. */
export interface LoadedModel {
  readonly description: ModelDescription;
  readonly image: ImageProgram;
  /** The model's, or another in its place; null for a baseline. */
  readonly gamma: number | null;
}

/** What a `Segmenter` says that was closed. */
export const closedError = (): UserError =>
  new UserError("this Segmenter is closed", { hint: "open the model again: Segmenter.open", code: "closed" });

/** Load a model that `exportModel` wrote; what it needs to know is in the metadata of the file. */
export async function loadModel(
  runtime: Runtime,
  bytes: Uint8Array,
  { file, name = file, gamma }: { readonly file: string; readonly name?: string; readonly gamma?: number | undefined },
): Promise<LoadedModel> {
  const description = descriptionOf(readModel(bytes, file).metadata, file);
  await requireSealed(bytes, file);
  const program = await runtime.load(bytes, signatureFor(description));
  const { height, score, classes } = description;
  return {
    description,
    image: { program, name, height, score, classes: classes.length },
    gamma: gamma ?? description.gamma,
  };
}

/** What a model of that description takes and gives; a baseline has no γ. */
export const signatureFor = ({ gamma }: Pick<ModelDescription, "gamma">): Signature =>
  gamma === null ? baselineSignature : deployedSignature;

/** Run a model on an image. */
export async function segmented(
  { description, image: program, gamma }: LoadedModel,
  image: RgbImage,
  called?: string,
): Promise<Segmentation> {
  const outputs = await imageOutputs(program, image, called);
  const baseline = description.gamma === null || gamma === null;
  // γ is compared with the similarity itself, as the model does it: 1 - similarity has been rounded.
  const certain = baseline ? null : atLeast(floats(outputs.similarity, "similarity"), gamma);
  const distance = description.distanceFrom === null ? null : floats(outputs.distance, "distance")[0]!;
  return {
    width: image.width,
    height: image.height,
    classes: outputs.class!.data as Uint8Array,
    uncertainty: baseline
      ? floats(outputs.uncertainty, "uncertainty")
      : floats(outputs.similarity, "similarity").map((similarity) => 1 - similarity),
    certain,
    certainShare: certain === null ? null : certain.reduce((count, yes) => count + yes, 0) / certain.length,
    distance,
    outOfDomain: distance === null ? null : isOutOfDomain(distance),
    names: description.classes.map(({ name }) => name),
    colours: description.classes.map(({ colour }) => colour),
  };
}

/** 1 where a similarity is at least γ, else 0. γ is rounded as the model rounds it. */
export function atLeast(similarity: Float32Array, gamma: number): Uint8Array {
  const least = Math.fround(gamma);
  const certain = new Uint8Array(similarity.length);
  for (let i = 0; i < certain.length; i++) certain[i] = similarity[i]! >= least ? 1 : 0;
  return certain;
}
