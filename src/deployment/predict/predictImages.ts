import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readImage } from "../../data/datasets/readImage.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { scaledTo } from "../../data/loader/readScaled.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { certainShare, type DeployedModel } from "../model/deployedModel.js";
import type { PredictInput } from "./findInputs.js";
import { leastCertain, outOfDomainRule } from "./outOfDomain.js";
import { videoFrames } from "./video.js";
import { mostUncertain, writePrediction } from "./writePrediction.js";

/** What became of an image. */
export interface ImageReport {
  readonly id: string;
  readonly file: string;
  /** Which frame of a video, from 1. */
  readonly frame?: number;
  /** Size of what was written, and of the image as it was. */
  readonly width: number;
  readonly height: number;
  readonly original: { readonly width: number; readonly height: number };
  /** Share of its pixels that are certain. */
  readonly certain: number;
  readonly outOfDomain: boolean;
}

/** predictions.json */
export interface Predictions {
  readonly model: string;
  readonly gamma: number;
  readonly score: string;
  readonly classes: readonly string[];
  /** uncertainty = code * this */
  readonly uncertaintyStep: number;
  readonly outOfDomainRule: string;
  readonly images: readonly ImageReport[];
  /** What could not be read, and why. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

export interface PredictRequest {
  readonly model: DeployedModel;
  /** The model's file, for the record. */
  readonly name: string;
  readonly inputs: readonly PredictInput[];
  readonly to: string;
  /** Images are scaled to this height; "own" leaves them as they are. */
  readonly height: number | "own";
  readonly onImage?: (image: ImageReport) => void;
  readonly onSkipped?: (file: string, reason: string) => void;
}

/** Look at images and videos one by one and write what the model says; damaged ones are named and passed over. */
export async function predictImages(request: PredictRequest): Promise<Predictions> {
  const { model, inputs, to, onImage, onSkipped } = request;
  const { info } = model;
  await mkdir(to, { recursive: true });
  const images: ImageReport[] = [];
  const skipped: { file: string; reason: string }[] = [];
  for (const input of inputs) {
    try {
      for await (const image of imageReports(request, input)) {
        images.push(image);
        onImage?.(image);
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      skipped.push({ file: input.file, reason: error.message });
      onSkipped?.(input.file, error.message);
    }
  }
  const predictions: Predictions = {
    model: request.name,
    gamma: info.gamma,
    score: info.score,
    classes: info.classes.map(({ name }) => name),
    uncertaintyStep: mostUncertain(info.score) / 65_535,
    outOfDomainRule: outOfDomainRule(info.expectedCertain),
    images,
    skipped,
  };
  await writeAtomically(join(to, "predictions.json"), `${JSON.stringify(predictions, null, 1)}\n`);
  return predictions;
}

async function* imageReports(request: PredictRequest, input: PredictInput): AsyncGenerator<ImageReport> {
  if (input.kind === "image") {
    yield await predictImage(request, input.id, input.file, await readImage(input.file));
    return;
  }
  let frame = 0;
  for await (const image of videoFrames(input.file)) {
    const id = `${input.id}/${String(++frame).padStart(6, "0")}`;
    yield { ...(await predictImage(request, id, input.file, image)), frame };
  }
}

async function predictImage(
  { model, to, height }: PredictRequest,
  id: string,
  file: string,
  original: RgbImage,
): Promise<ImageReport> {
  const image = height === "own" ? original : await scaledTo(original, height, file);
  const prediction = await model.predict(image);
  await writePrediction(to, id, image, prediction, model.info);
  const certain = certainShare(prediction);
  return {
    id,
    file,
    width: prediction.width,
    height: prediction.height,
    original: { width: original.width, height: original.height },
    certain,
    outOfDomain: certain < leastCertain(model.info.expectedCertain),
  };
}
