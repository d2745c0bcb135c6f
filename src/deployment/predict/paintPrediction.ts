import { heat } from "../../data/images/heat.js";
import { onlyCertain, overlay } from "../../data/images/sheet.js";
import type { RgbImage } from "../../data/images/tensors.js";
import type { Prediction } from "../model/deployedModel.js";
import type { ModelInfo } from "../model/modelInfo.js";

/** What people look at, each red, green, blue for every pixel. */
export interface Painted {
  readonly image: Uint8Array;
  /** The image in the colours of its classes. */
  readonly segmentation: Uint8Array;
  /** From dark (certain) to bright; the middle of the scale is γ. */
  readonly uncertainty: Uint8Array;
  /** The segmentation, black where it is not certain. */
  readonly certain: Uint8Array;
}

export function paintPrediction(
  { rgb }: RgbImage,
  { predicted, similarity, certain }: Prediction,
  { classes, gamma }: Pick<ModelInfo, "classes" | "gamma">,
): Painted {
  const colours = classes.map(({ colour }) => colour);
  const segmentation = overlay(rgb, predicted, colours);
  const uncertainty = new Uint8Array(rgb.length);
  const brightest = Math.max(1e-6, 2 * (1 - gamma));
  for (let i = 0; i < similarity.length; i++) {
    heat(uncertainty, 3 * i, Math.min(1, Math.max(0, (1 - similarity[i]!) / brightest)));
  }
  return { image: rgb, segmentation, uncertainty, certain: onlyCertain(segmentation, certain) };
}
