import type { RgbImage } from "../../data/images/tensors.js";
import { sizeSeen } from "../../inference/imageOutputs.js";
import { certainShare, type DeployedModel, type Prediction } from "../model/deployedModel.js";
import { leastCertain } from "./outOfDomain.js";
import { type Painted, paintPrediction } from "./paintPrediction.js";
import type { ImageReport } from "./predictions.js";
import { writePanels, writePrediction } from "./writePrediction.js";

export interface ImageRequest {
  readonly model: DeployedModel;
  readonly to: string;
}

export interface PredictedImage {
  readonly report: ImageReport;
  readonly prediction: Prediction;
  readonly painted: Painted;
}

/** Of a video or a log, about a frame a second. */
export const inGallery = ({ frame = 1 }: Pick<ImageReport, "frame">): boolean => frame % 25 === 1;

/** Predict one image, and write all there is to know about it. */
export async function predictImage(
  { model, to }: ImageRequest,
  place: Pick<ImageReport, "id" | "file" | "frame">,
  image: RgbImage,
): Promise<PredictedImage> {
  const prediction = await model.predict(image);
  const painted = paintPrediction(image, prediction, model.info);
  await writePrediction(to, place.id, prediction, painted, model.info.score);
  if (inGallery(place)) await writePanels(to, place.id, painted, image);
  const certain = certainShare(prediction);
  const report = {
    ...place,
    width: image.width,
    height: image.height,
    scaled: sizeSeen(image, model.info.height),
    certain,
    outOfDomain: certain < leastCertain(model.info.expectedCertain),
  };
  return { report, prediction, painted };
}
