import type { Dataset, Item } from "../../data/datasets/dataset.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { readScaled } from "../../data/loader/readScaled.js";

/** An image at a height. Labels are not opened, whatever lies beside it. */
export const readUnlabelled = (images: Dataset, item: Item, height: number): Promise<RgbImage> =>
  readScaled({ ...images, labelling: null }, { ...item, labels: null }, height);
