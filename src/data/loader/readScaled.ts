import type { Dataset, Item } from "../datasets/dataset.js";
import { readSample } from "../datasets/readSample.js";
import { nearestMap } from "../images/scale.js";
import { scaledTo } from "../images/scaledTo.js";
import type { RgbImage } from "../images/tensors.js";
import type { ScaledImage } from "./imageCache.js";

/**
 * Read an image and scale it to a height, keeping its shape. Labels take the nearest pixel.
 */
export async function readScaled(dataset: Dataset, item: Item, height: number): Promise<ScaledImage> {
  const sample = await readSample(dataset, item);
  if (sample.height === height) return sample;
  const scaled = await scaledTo(sample, height, item.image);
  return { ...scaled, labels: sample.labels === null ? null : nearestMap(sample.labels, sample, scaled) };
}

/** An image at a height. Labels are not opened, whatever lies beside it (T-11). */
export const readUnlabelled = (dataset: Dataset, item: Item, height: number): Promise<RgbImage> =>
  readScaled({ ...dataset, labelling: null }, { ...item, labels: null }, height);
