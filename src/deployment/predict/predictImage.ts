import { blackOut, overlay } from "../../data/images/sheet.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { sizeSeen } from "../../inference/imageOutputs.js";
import { certainShare, type DeployedModel, type Prediction } from "../model/deployedModel.js";
import { isOutOfDomain } from "../model/outOfDomain.js";
import { paintUncertainty } from "./paintUncertainty.js";
import type { ImageReport } from "./predictions.js";
import { writeMaps, writePanel, writeView } from "./writePrediction.js";

export interface ImageRequest {
  readonly model: DeployedModel;
  readonly to: string;
}

export interface PredictedImage {
  readonly report: ImageReport;
  readonly prediction: Prediction;
  /** Red, green and blue: the image in the colours of its classes, black where it is not certain. */
  readonly certain: Uint8Array;
}

/** Of a video or a log, about a frame a second. */
export const inGallery = ({ frame = 1 }: Pick<ImageReport, "frame">): boolean => frame % 25 === 1;

/**
 * Predict one image, and write all there is to know about it. What people look at is painted and written one after the other: of a large
 * image, all of it at once would take a gigabyte.
 */
export async function predictImage(
  { model, to }: ImageRequest,
  place: Pick<ImageReport, "id" | "file" | "frame">,
  image: RgbImage,
): Promise<PredictedImage> {
  const { id } = place;
  const { width, height } = image;
  const { classes, gamma, score } = model.info;
  const prediction = await model.predict(image, place.file);
  await writeMaps(to, id, prediction, score);

  const shown = inGallery(place);
  if (shown) {
    await writePanel(to, id, "image", image);
    await writePanel(to, id, "uncertainty", paintUncertainty(prediction, gamma));
  }
  const colours = classes.map(({ colour }) => colour);
  const painted = { rgb: overlay(image.rgb, prediction.predicted, colours), width, height };
  await writeView(to, id, "overlay", painted);
  if (shown) await writePanel(to, id, "segmentation", painted);
  blackOut(painted.rgb, prediction.certain);
  await writeView(to, id, "certain", painted);
  if (shown) await writePanel(to, id, "certain", painted);

  const certain = certainShare(prediction);
  const report = {
    ...place,
    ...{ width, height },
    scaled: sizeSeen(image, model.info.height),
    certain,
    distance: prediction.distance,
    outOfDomain: isOutOfDomain(prediction.distance),
  };
  return { report, prediction, certain: painted.rgb };
}
