import { applyRule } from "../labels/applyRule.js";
import { adviseOption } from "./adviseOption.js";
import type { Dataset, Item, Sample } from "./dataset.js";
import { readBytes } from "./readBytes.js";
import { mustFit, readRawLabels } from "./readLabels.js";
import { decodePhoto } from "./readPhoto.js";

/**
 * One picture of a data set in memory, and what each of its pixels means. A label map that does not have the size of its
 * photo is refused, never resized.
 */
export async function readSample(dataset: Pick<Dataset, "spec" | "labelling">, item: Item): Promise<Sample> {
  const { id, image, labels: file } = item;
  const { picture, header } = await decodePhoto(await readBytes(image, "image"), image);
  if (dataset.labelling === null || file === null) return { id, ...picture, labels: null };
  const bytes = await readBytes(file, "label");
  const png = await readRawLabels(bytes, file, mustFit(header, file, image));
  try {
    return { id, ...picture, labels: applyRule(png, dataset.labelling.rule, file).labels };
  } catch (error) {
    throw adviseOption(error, dataset.spec);
  }
}
