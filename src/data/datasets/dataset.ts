import type { RgbImage } from "../images/tensors.js";
import type { Labelling } from "../labels/labelSpace.js";
import type { Problem } from "./problem.js";

/** One image of a data set: where its files lie. */
export interface Item {
  readonly id: string;
  readonly image: string;
  /** Null in an unlabelled set: a label file that happens to lie there is never opened. */
  readonly labels: string | null;
}

/** The order of the items of a data set. */
export const byId = (a: Item, b: Item): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * A data set that has been found on disk: plain data, so that it can be sent to a worker. Items are sorted by id.
 *
 * Drawn scenes are one too: they are drawn to a cache folder first.
 */
export interface Dataset {
  /** The spec it was opened with, every option spelled out. */
  readonly spec: string;
  readonly items: readonly Item[];
  /** Null: unlabelled. */
  readonly labelling: Labelling | null;
  /** What opening noticed: label maps without images, images of one name. `checkDataset` reports it with what it finds. */
  readonly problems?: readonly Problem[];
}

/** One image in memory. */
export interface Sample extends RgbImage {
  readonly id: string;
  /** Places in the class list, UNKNOWN_LABEL or VOID_LABEL, height x width; null in an unlabelled set. */
  readonly labels: Uint8Array | null;
}
