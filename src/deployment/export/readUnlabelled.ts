import type { Dataset, Item } from "../../data/datasets/dataset.js";
import type { Picture } from "../../data/images/tensors.js";
import { readScaled } from "../../data/loader/readScaled.js";

/** A picture at a height. Labels are not opened, whatever lies beside it. */
export const readUnlabelled = (frames: Dataset, item: Item, height: number): Promise<Picture> =>
  readScaled({ ...frames, labelling: null }, { ...item, labels: null }, height);
