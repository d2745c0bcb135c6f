import { join } from "node:path";
import { formatClasses } from "../../data/datasets/classesFile.js";
import { readImage } from "../../data/datasets/readImage.js";
import { nearestMap } from "../../data/images/scale.js";
import { Sheet } from "../../data/images/sheet.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { scaledTo } from "../../data/loader/readScaled.js";
import { MODEL_OUTPUT } from "../../engine/runtime/ortProgram.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { FileError, makeFolder } from "../../platform/files.js";
import { certainShare, type DeployedModel, type Prediction } from "../model/deployedModel.js";
import { fileOf, type PredictInput } from "./findInputs.js";
import { galleryPage } from "./galleryPage.js";
import { leastCertain, outOfDomainRule } from "./outOfDomain.js";
import { type Painted, paintPrediction } from "./paintPrediction.js";
import type { ImageReport, Predictions } from "./predictions.js";
import { frameRate, videoFrames } from "./video.js";
import { VideoWriter } from "./videoWriter.js";
import { mostUncertain, writePanels, writePrediction } from "./writePrediction.js";

export interface PredictRequest {
  readonly model: DeployedModel;
  /** The model's file, for the record. */
  readonly name: string;
  readonly inputs: readonly PredictInput[];
  readonly to: string;
  /** Images are scaled to this height for the network; "own" leaves them as they are. What is written has the image's own size. */
  readonly height: number | "own";
  readonly onImage?: (image: ImageReport) => void;
  readonly onSkipped?: (file: string, reason: string) => void;
}

/** Look at images and videos one by one and write what the model says; damaged ones are named and passed over. */
export async function predictImages(request: PredictRequest): Promise<Predictions> {
  const { model, inputs, to, onImage, onSkipped } = request;
  const { info } = model;
  await makeFolder(to);
  const images: ImageReport[] = [];
  const videos: { file: string; video: string }[] = [];
  const skipped: { file: string; reason: string }[] = [];
  for (const input of inputs) {
    try {
      for await (const image of imageReports(request, input)) {
        images.push(image);
        onImage?.(image);
      }
      if (input.kind === "video") videos.push({ file: input.file, video: fileOf("video", input.id, ".mp4") });
    } catch (error) {
      // An image may be broken; a place that cannot be written to, or a model that answers nonsense, is no image's fault.
      if (!(error instanceof UserError) || error instanceof FileError || error.code === MODEL_OUTPUT) throw error;
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
    videos,
    skipped,
  };
  const colours = info.classes.map(({ colour }) => colour);
  await writeAtomically(join(to, "classes.json"), formatClasses("predicted", info.classes));
  await writeAtomically(join(to, "index.html"), galleryPage(predictions, colours, inGallery));
  await writeAtomically(join(to, "predictions.json"), `${JSON.stringify(predictions, null, 1)}\n`);
  return predictions;
}

/** Of a video, about a frame a second. */
const inGallery = ({ frame = 1 }: Pick<ImageReport, "frame">): boolean => frame % 25 === 1;

async function* imageReports(request: PredictRequest, input: PredictInput): AsyncGenerator<ImageReport> {
  const { id, file } = input;
  if (input.kind === "image") {
    yield (await predictImage(request, { id, file }, await readImage(file))).report;
    return;
  }
  const film = new Film(fileOf(join(request.to, "video"), id, ".mp4"), await frameRate(file));
  try {
    let frame = 0;
    for await (const image of videoFrames(file)) {
      const place = { id: `${id}/${String(++frame).padStart(6, "0")}`, file, frame };
      const { report, painted } = await predictImage(request, place, image);
      await film.add(painted, image);
      yield report;
    }
  } catch (error) {
    await film.abandon();
    throw error;
  }
  await film.finish();
}

async function predictImage(
  { model, to, height }: PredictRequest,
  place: Pick<ImageReport, "id" | "file" | "frame">,
  original: RgbImage,
): Promise<{ readonly report: ImageReport; readonly painted: Painted }> {
  const image = height === "own" ? original : await scaledTo(original, height, place.file);
  const seen = await model.predict(image);
  const prediction = atOwnSize(seen, original);
  const painted = paintPrediction(original, prediction, model.info);
  await writePrediction(to, place.id, prediction, painted, model.info.score);
  if (inGallery(place)) await writePanels(to, place.id, painted, original);
  const certain = certainShare(seen);
  const report = {
    ...place,
    width: original.width,
    height: original.height,
    scaled: { width: seen.width, height: seen.height },
    certain,
    outOfDomain: certain < leastCertain(model.info.expectedCertain),
  };
  return { report, painted };
}

/** Each pixel takes what the network said of the nearest of its own: classes cannot be mixed, and certainty stays theirs. */
function atOwnSize(prediction: Prediction, { width, height }: RgbImage): Prediction {
  const own = <Values extends Uint8Array | Float32Array>(values: Values): Values =>
    nearestMap(values, prediction, { width, height });
  return {
    width,
    height,
    predicted: own(prediction.predicted),
    similarity: own(prediction.similarity),
    certain: own(prediction.certain),
  };
}

/** The mp4 of a video: each frame with what is certain of it on its right. Where it cannot be written, frames go on without it. */
class Film {
  readonly #path: string;
  readonly #rate: string;
  #writer: VideoWriter | undefined;
  #trouble: unknown;

  constructor(path: string, rate: string) {
    this.#path = path;
    this.#rate = rate;
  }

  async add({ image, certain }: Painted, { width, height }: RgbImage): Promise<void> {
    if (this.#trouble !== undefined) return;
    try {
      const sheet = new Sheet(2, 1, { width, height });
      this.#writer ??= await VideoWriter.open(this.#path, { width: sheet.width, height, rate: this.#rate });
      sheet.paste(image, 0, 0);
      sheet.paste(certain, 1, 0);
      await this.#writer.write(sheet.rgb);
    } catch (error) {
      await this.abandon();
      this.#trouble = error;
    }
  }

  async finish(): Promise<void> {
    if (this.#trouble !== undefined) throw this.#trouble;
    await this.#writer?.finish();
  }

  async abandon(): Promise<void> {
    await this.#writer?.abandon();
    this.#writer = undefined;
  }
}
