import { cityscapes19, cityscapesIds } from "./cityscapes.js";
import { type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "./labelSpace.js";

/** WildDash 1 (`wd_val_01`, 70 labelled images): Cityscapes label ids. */
export const wildDash1Ids: Labelling = cityscapesIds;

/**
 * WildDash 2 (`wd_public_02`, 4256 labelled images): Cityscapes label ids and five more, 34 to 38.
 *
 * Pickups and vans are cars, as in Cityscapes; markings are part of the road. Billboards and street lights have no class.
 * 1 is the own car, which WildDash 2 scores and we do not; 2 also covers logos and time stamps laid over the image.
 * https://wilddash.cc, label policy in https://github.com/ozendelait/wilddash_scripts
 */
export const wildDash2Ids: Labelling = {
  classes: cityscapes19,
  rule: {
    kind: "ids",
    meaning: {
      ...cityscapesIds.rule.meaning,
      34: 13,
      35: 13,
      36: UNKNOWN_LABEL,
      37: UNKNOWN_LABEL,
      38: 0,
      255: VOID_LABEL,
    },
  },
};
