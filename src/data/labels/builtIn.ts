import { bddColours, bddTrainIds } from "./bdd.js";
import { camvidColours, camvidColoursAsCityscapes, camvidIds, camvidIdsAsCityscapes } from "./camvid.js";
import { cityscapesColours, cityscapesIds, cityscapesTrainIds } from "./cityscapes.js";
import { comma10kColours } from "./comma10k.js";
import { drawnScenesCategories, drawnScenesIds } from "./drawnScenes.js";
import { kittiIds } from "./kitti.js";
import type { Labelling } from "./labelSpace.js";
import { saxIds } from "./sax.js";
import { wildDash1Ids, wildDash2Ids } from "./wildDash.js";

/** Every label space that comes with us, by the name that specs and hints use. */
export const builtInLabellings = {
  "cityscapes-ids": cityscapesIds,
  "cityscapes-train-ids": cityscapesTrainIds,
  "cityscapes-colours": cityscapesColours,
  "camvid-colours": camvidColours,
  "camvid-colours-as-cityscapes": camvidColoursAsCityscapes,
  "camvid-ids": camvidIds,
  "camvid-ids-as-cityscapes": camvidIdsAsCityscapes,
  "comma10k-colours": comma10kColours,
  "kitti-ids": kittiIds,
  "bdd-train-ids": bddTrainIds,
  "bdd-colours": bddColours,
  "wilddash1-ids": wildDash1Ids,
  "wilddash2-ids": wildDash2Ids,
  "sax-ids": saxIds,
  "scenes-ids": drawnScenesIds,
  "scenes-categories": drawnScenesCategories,
} as const satisfies Record<string, Labelling>;

export type LabellingName = keyof typeof builtInLabellings;

export function isLabellingName(name: string): name is LabellingName {
  return Object.hasOwn(builtInLabellings, name);
}
