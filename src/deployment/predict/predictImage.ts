import { nearestMap } from "../../data/images/scale.js";
import { scaledTo } from "../../data/images/scaledTo.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { certainShare, type DeployedModel, type Prediction } from "../model/deployedModel.js";
import { leastCertain } from "./outOfDomain.js";
import { type Painted, paintPrediction } from "./paintPrediction.js";
import type { ImageReport } from "./predictions.js";
import { writePanels, writePrediction } from "./writePrediction.js";

export interface ImageRequest {
  readonly model: DeployedModel;
  readonly to: string;
  /** Images are scaled to this height for the network; "own" leaves them as they are. What is written has the image's own size. */
  readonly height: number | "own";
}

export interface PredictedImage {
  readonly report: ImageReport;
  /** At the image's own size. */
  readonly prediction: Prediction;
  readonly painted: Painted;
}

/** Of a video or a log, about a frame a second. */
export const inGallery = ({ frame = 1 }: Pick<ImageReport, "frame">): boolean => frame % 25 === 1;

/** Predict one image, and write all there is to know about it. */
export async function predictImage(
  { model, to, height }: ImageRequest,
  place: Pick<ImageReport, "id" | "file" | "frame">,
  original: RgbImage,
): Promise<PredictedImage> {
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
  return { report, prediction, painted };
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
