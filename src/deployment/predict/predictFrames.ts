import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readPhoto } from "../../data/datasets/readPhoto.js";
import type { Picture } from "../../data/images/tensors.js";
import { scaledTo } from "../../data/loader/readScaled.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { certainShare, type DeployedModel } from "../model/deployedModel.js";
import type { FrameInput } from "./frameInputs.js";
import { leastCertain, outOfDomainRule } from "./outOfDomain.js";
import { videoFrames } from "./video.js";
import { mostUncertain, writeFrame } from "./writeFrame.js";

/** What became of a frame. */
export interface FrameReport {
  readonly id: string;
  readonly file: string;
  /** Which frame of a video, from 1. */
  readonly frame?: number;
  /** Size of what was written, and of the picture as it was. */
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
  readonly frames: readonly FrameReport[];
  /** What could not be read, and why. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

export interface PredictRequest {
  readonly model: DeployedModel;
  /** The model's file, for the record. */
  readonly name: string;
  readonly inputs: readonly FrameInput[];
  readonly to: string;
  /** Pictures are scaled to this height; "own" leaves them as they are. */
  readonly height: number | "own";
  readonly onFrame?: (frame: FrameReport) => void;
  readonly onSkipped?: (file: string, reason: string) => void;
}

/** Look at pictures and videos one by one and write what the model says; damaged ones are named and passed over. */
export async function predictFrames(request: PredictRequest): Promise<Predictions> {
  const { model, inputs, to, onFrame, onSkipped } = request;
  const { info } = model;
  await mkdir(to, { recursive: true });
  const frames: FrameReport[] = [];
  const skipped: { file: string; reason: string }[] = [];
  for (const input of inputs) {
    try {
      for await (const frame of frameReports(request, input)) {
        frames.push(frame);
        onFrame?.(frame);
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
    frames,
    skipped,
  };
  await writeAtomically(join(to, "predictions.json"), `${JSON.stringify(predictions, null, 1)}\n`);
  return predictions;
}

async function* frameReports(request: PredictRequest, input: FrameInput): AsyncGenerator<FrameReport> {
  if (input.kind === "picture") {
    yield await predictFrame(request, input.id, input.file, await readPhoto(input.file));
    return;
  }
  let frame = 0;
  for await (const picture of videoFrames(input.file)) {
    const id = `${input.id}/${String(++frame).padStart(6, "0")}`;
    yield { ...(await predictFrame(request, id, input.file, picture)), frame };
  }
}

async function predictFrame(
  { model, to, height }: PredictRequest,
  id: string,
  file: string,
  original: Picture,
): Promise<FrameReport> {
  const picture = height === "own" ? original : await scaledTo(original, height, file);
  const frame = await model.predict(picture);
  await writeFrame(to, id, picture, frame, model.info);
  const certain = certainShare(frame);
  return {
    id,
    file,
    width: frame.width,
    height: frame.height,
    original: { width: original.width, height: original.height },
    certain,
    outOfDomain: certain < leastCertain(model.info.expectedCertain),
  };
}
