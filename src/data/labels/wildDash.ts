import { cityscapes19, cityscapesIds } from "./cityscapes.js";
import { type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "./labelSpace.js";

/** WildDash 1 (`wd_val_01`, 70 labelled images): Cityscapes label ids. */
export const wildDash1Ids: Labelling = cityscapesIds;

/** The labels that WildDash 2 has beside those of Cityscapes, from 34 on, and the classes that its policy puts them into. */
const further: readonly (readonly [name: string, meaning: number])[] = [
  ["pickup", 14],
  ["van", 13],
  ["billboard", UNKNOWN_LABEL],
  ["streetlight", UNKNOWN_LABEL],
  ["roadmarking", 0],
  ["junctionbox", UNKNOWN_LABEL],
  ["mailbox", UNKNOWN_LABEL],
  ["manhole", 0],
  ["phonebooth", UNKNOWN_LABEL],
  ["pothole", 0],
  ["bikerack", UNKNOWN_LABEL],
  ["trafficsignframe", 5],
  ["utilitypole", 5],
  ["motorcyclist", 12],
  ["bicyclist", 12],
  ["otherrider", 12],
  ["bird", UNKNOWN_LABEL],
  ["groundanimal", UNKNOWN_LABEL],
  ["curb", 1],
  ["trafficsignany", UNKNOWN_LABEL],
  ["trafficsignback", UNKNOWN_LABEL],
  ["trashcan", UNKNOWN_LABEL],
  ["otherbarrier", 3],
  ["othervehicle", UNKNOWN_LABEL],
  ["autorickshaw", 17],
  ["bench", UNKNOWN_LABEL],
  ["mountain", UNKNOWN_LABEL],
  ["tramtrack", 0],
  ["wheeledslow", UNKNOWN_LABEL],
  ["boat", UNKNOWN_LABEL],
  ["bikelane", 0],
  ["bikelanesidewalk", 1],
  ["banner", UNKNOWN_LABEL],
  ["dashcammount", VOID_LABEL],
  ["water", UNKNOWN_LABEL],
  ["sand", UNKNOWN_LABEL],
  ["pedestrianarea", 0],
  ["firehydrant", UNKNOWN_LABEL],
  ["cctvcamera", UNKNOWN_LABEL],
  ["snow", UNKNOWN_LABEL],
  ["catchbasin", 0],
  ["crosswalkplain", 0],
  ["crosswalkzebra", 0],
  ["manholesidewalk", 1],
  ["curbterrain", 9],
  ["servicelane", 0],
  ["curbcut", 1],
];

/**
 * WildDash 2 (`wd_public_02`, 4256 labelled images): Cityscapes label ids, and 47 more. Label files use 34 to 38 of them; those made
 * from its panoptic labels may have all.
 *
 * Classes are those of its unified label policy. What the policy puts into a catch-all of Cityscapes (static, dynamic, ground) has
 * a name here, and is unknown. 1 is the own car, which WildDash 2 scores and we do not; 2 also covers logos and time stamps laid over
 * the image. https://github.com/ozendelait/wilddash_scripts/blob/main/wd2_unified_label_policy.json
 */
export const wildDash2Ids: Labelling = {
  classes: cityscapes19,
  rule: {
    kind: "ids",
    meaning: {
      ...cityscapesIds.rule.meaning,
      ...Object.fromEntries(further.map(([, meaning], i) => [34 + i, meaning])),
      255: VOID_LABEL,
    },
  },
};
