import type { Dataset } from "../../data/datasets/dataset.js";
import { evenlySpread } from "../../data/datasets/evenlySpread.js";
import { nameOf } from "../../data/datasets/spec.js";
import { readUnlabelled } from "../../data/loader/readScaled.js";
import { certainShare, type DeployedModel } from "../model/deployedModel.js";
import type { ExpectedCertain } from "../model/modelInfo.js";

/** Images looked at, evenly spread: enough for a mean, few enough for a coffee. */
const MOST_IMAGES = 64;

/** How much of each image is certain on images the model was made for. Labels are not opened. */
export async function expectedCertain(
  model: DeployedModel,
  dataset: Dataset,
  onProgress?: (done: number, total: number) => void,
): Promise<ExpectedCertain> {
  const items = evenlySpread(dataset.items, MOST_IMAGES);
  const shares: number[] = [];
  for (const item of items) {
    const image = await readUnlabelled(dataset, item, model.info.height);
    shares.push(certainShare(await model.predict(image)));
    onProgress?.(shares.length, items.length);
  }
  return { ...spread(shares), images: shares.length, on: nameOf(dataset.spec) };
}

/** Mean, standard deviation and lowest of some shares. */
export function spread(shares: readonly number[]): Pick<ExpectedCertain, "mean" | "deviation" | "lowest"> {
  const mean = shares.reduce((total, share) => total + share, 0) / shares.length;
  const variance = shares.reduce((total, share) => total + (share - mean) ** 2, 0) / shares.length;
  return { mean, deviation: Math.sqrt(variance), lowest: Math.min(...shares) };
}
