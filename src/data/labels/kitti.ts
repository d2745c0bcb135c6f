import { cityscapesIds } from "./cityscapes.js";
import type { Labelling } from "./labelSpace.js";

/** KITTI semantics 2015 borrows the label ids of Cityscapes: 8-bit, 7 is road. */
export const kittiIds: Labelling = cityscapesIds;
