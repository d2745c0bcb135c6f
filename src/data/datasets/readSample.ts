import { readBytes } from "../images/readBytes.js";
import { decodeImage } from "../images/readImage.js";
import { applyRule } from "../labels/applyRule.js";
import { adviseOption } from "./adviseOption.js";
import type { Dataset, Item, Sample } from "./dataset.js";
import { mustFit, readRawLabels } from "./readLabels.js";

/**
 * One image of a data set in memory, and what each of its pixels means. A label map that does not have the size of its
 * image is refused, never resized.
 */
export async function readSample(dataset: Pick<Dataset, "spec" | "labelling">, item: Item): Promise<Sample> {
  const { id, labels: file } = item;
  const { image, header } = await decodeImage(await readBytes(item.image, "image"), item.image);
  if (dataset.labelling === null || file === null) return { id, ...image, labels: null };
  const bytes = await readBytes(file, "label");
  const png = await readRawLabels(bytes, file, mustFit(header, file, item.image));
  try {
    return { id, ...image, labels: applyRule(png, dataset.labelling.rule, file).labels };
  } catch (error) {
    throw adviseOption(error, dataset.spec);
  }
}
