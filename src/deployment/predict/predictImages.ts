import { join } from "node:path";
import { formatClasses } from "../../data/datasets/classesFile.js";
import { MOST_PREDICTED } from "../../data/images/imageLimits.js";
import { readImage } from "../../data/images/readImage.js";
import { MODEL_OUTPUT } from "../../engine/runtime/ortProgram.js";
import { mostUncertain } from "../../methods/gamma-ssl/score.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { FileError, makeFolder } from "../../platform/files.js";
import { outOfDomainRule } from "../model/outOfDomain.js";
import { Film } from "./film.js";
import { fileOf, type PredictInput } from "./findInputs.js";
import { galleryPage } from "./galleryPage.js";
import { type ImageRequest, inGallery, predictImage } from "./predictImage.js";
import type { ImageReport, Predictions } from "./predictions.js";
import { logFiles, predictLog } from "./predictLog.js";
import { frameRate, videoFrames } from "./video.js";

export interface PredictRequest extends ImageRequest {
  /** The model's file, for the record. */
  readonly name: string;
  readonly inputs: readonly PredictInput[];
  readonly onImage?: (image: ImageReport) => void;
  readonly onSkipped?: (file: string, reason: string) => void;
}

/** Look at images, videos and logs one by one and write what the model says; damaged ones are named and passed over. */
export async function predictImages(request: PredictRequest): Promise<Predictions> {
  const { model, inputs, to, onImage, onSkipped } = request;
  const { info } = model;
  await makeFolder(to);
  const images: ImageReport[] = [];
  const videos: Predictions["videos"][number][] = [];
  const logs: Predictions["logs"][number][] = [];
  const skipped: { file: string; reason: string }[] = [];
  const passOver = (file: string, error: unknown): void => {
    // An image may be broken; a place that cannot be written to, or a model that answers nonsense, is no image's fault.
    if (!(error instanceof UserError) || error instanceof FileError || error.code === MODEL_OUTPUT) throw error;
    skipped.push({ file, reason: error.message });
    onSkipped?.(file, error.message);
  };
  for (const input of inputs) {
    const { file, id } = input;
    try {
      for await (const image of imageReports(request, input, (error) => passOver(file, error))) {
        images.push(image);
        onImage?.(image);
      }
      if (input.kind === "video") videos.push({ file, video: fileOf("video", id, ".mp4") });
      if (input.kind === "log") logs.push({ file, topic: input.topic, ...logFiles(id) });
    } catch (error) {
      passOver(file, error);
    }
  }
  const predictions: Predictions = {
    model: request.name,
    gamma: info.gamma,
    score: info.score,
    classes: info.classes.map(({ name }) => name),
    uncertaintyStep: mostUncertain(info.score) / 65_535,
    outOfDomainRule: outOfDomainRule(info.distanceFrom),
    images,
    videos,
    logs,
    skipped,
  };
  const colours = info.classes.map(({ colour }) => colour);
  await writeAtomically(join(to, "classes.json"), formatClasses("predicted", info.classes));
  await writeAtomically(join(to, "index.html"), galleryPage(predictions, colours, inGallery));
  await writeAtomically(join(to, "predictions.json"), `${JSON.stringify(predictions, null, 1)}\n`);
  return predictions;
}

async function* imageReports(
  request: PredictRequest,
  input: PredictInput,
  passOver: (error: unknown) => void,
): AsyncGenerator<ImageReport> {
  const { id, file } = input;
  if (input.kind === "log") {
    yield* predictLog(request, input, passOver);
    return;
  }
  if (input.kind === "image") {
    yield (await predictImage(request, { id, file }, await readImage(file, MOST_PREDICTED))).report;
    return;
  }
  const film = new Film(fileOf(join(request.to, "video"), id, ".mp4"), await frameRate(file));
  let whole = false;
  try {
    let frame = 0;
    for await (const image of videoFrames(file)) {
      const place = { id: `${id}/${String(++frame).padStart(6, "0")}`, file, frame };
      const { report, certain } = await predictImage(request, place, image);
      await film.add(image, certain);
      yield report;
    }
    whole = true;
  } finally {
    // Also where the caller stops in the middle: a generator that is left runs its finally alone.
    if (!whole) await film.abandon();
  }
  await film.finish();
}
