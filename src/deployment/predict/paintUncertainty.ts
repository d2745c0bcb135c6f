import { heat } from "../../data/images/heat.js";
import type { RgbImage } from "../../data/images/tensors.js";
import type { Prediction } from "../model/deployedModel.js";

/** Uncertainty to look at, from dark (certain) to bright; the middle of the scale is γ. */
export function paintUncertainty(
  { width, height, similarity }: Pick<Prediction, "width" | "height" | "similarity">,
  gamma: number,
): RgbImage {
  const rgb = new Uint8Array(3 * similarity.length);
  const brightest = Math.max(1e-6, 2 * (1 - gamma));
  for (let i = 0; i < similarity.length; i++) {
    heat(rgb, 3 * i, Math.min(1, Math.max(0, (1 - similarity[i]!) / brightest)));
  }
  return { width, height, rgb };
}
