import { availableParallelism } from "node:os";
import { openDevice } from "../../engine/runtime/device.js";
import type { Computing } from "../../platform/watching.js";
import { DeployedModel } from "../model/deployedModel.js";
import { findInputs } from "./findInputs.js";
import { predictImages } from "./predictImages.js";
import type { ImageReport, Predictions } from "./predictions.js";
import { requireFfmpeg } from "./video.js";

/** Where predictions go, and how they are made. */
export interface PredictOptions extends Pick<Computing, "threads" | "device"> {
  /** Folder to write class/, uncertainty/, overlay/, certain/ and predictions.json into. */
  readonly to: string;
  /** Called after each image. */
  readonly onImage?: ((image: ImageReport) => void) | undefined;
  /** Called for each file that cannot be read. */
  readonly onSkipped?: ((file: string, reason: string) => void) | undefined;
  /** Cancels the work after the image it is at: `predict` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Predict images, videos and robot logs with an exported model that has a γ, and write classes, uncertainty and overlays of each. Inputs are files,
 * folders and patterns; all are found before the first is read.
 */
export async function predict(model: string, inputs: readonly string[], options: PredictOptions): Promise<Predictions> {
  const { to, threads = availableParallelism(), onImage, onSkipped, signal } = options;
  const runtime = await openDevice({ threads, device: options.device });
  const found = await findInputs(inputs);
  const video = found.find(({ kind }) => kind === "video");
  if (video !== undefined) await requireFfmpeg(video.file);
  const opened = await DeployedModel.read(runtime, model);
  return predictImages({
    model: opened,
    name: model,
    inputs: found,
    to,
    onImage(image) {
      onImage?.(image);
      signal?.throwIfAborted();
    },
    ...(onSkipped && { onSkipped }),
  }).finally(() => opened.close());
}
