import { cityscapes19 } from "./cityscapes.js";
import { type ClassList, type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "./labelSpace.js";
import { coloursOf, type LabelTable } from "./labelTable.js";

/** The eleven classes most papers on CamVid use, in the order of SegNet's label files and in CamVid's own colours. */
const camvid11: ClassList = {
  name: "camvid11",
  classes: [
    { name: "sky", colour: [128, 128, 128] },
    { name: "building", colour: [128, 0, 0] },
    { name: "pole", colour: [192, 192, 128] },
    { name: "road", colour: [128, 64, 128] },
    { name: "pavement", colour: [0, 0, 192] },
    { name: "tree", colour: [128, 128, 0] },
    { name: "sign", colour: [192, 128, 128] },
    { name: "fence", colour: [64, 64, 128] },
    { name: "car", colour: [64, 0, 128] },
    { name: "pedestrian", colour: [64, 64, 0] },
    { name: "bicyclist", colour: [0, 128, 192] },
  ],
};

/**
 * The 32 labels of CamVid (label_colors.txt): name, colour, place among the eleven classes, Cityscapes train id.
 *
 * The eleven are the usual reading (Badrinarayanan et al., SegNet, 2017), which finds a class for nearly everything: an
 * animal is a pedestrian there. The second column is stricter: things Cityscapes has no class for are unknown, a bridge among them.
 * Truck_Bus is void: Cityscapes has a class for either, and an answer with the right one must not count as wrong. Pick-ups, which are
 * trucks in Cityscapes, share a label with sport utility vehicles, which are cars and far more common.
 */
const labels: readonly (readonly [string, readonly [number, number, number], number, number])[] = [
  ["Animal", [64, 128, 64], 9, UNKNOWN_LABEL],
  ["Archway", [192, 0, 128], 1, 2],
  ["Bicyclist", [0, 128, 192], 10, 12],
  ["Bridge", [0, 128, 64], 1, UNKNOWN_LABEL],
  ["Building", [128, 0, 0], 1, 2],
  ["Car", [64, 0, 128], 8, 13],
  ["CartLuggagePram", [64, 0, 192], 9, UNKNOWN_LABEL],
  ["Child", [192, 128, 64], 9, 11],
  ["Column_Pole", [192, 192, 128], 2, 5],
  ["Fence", [64, 64, 128], 7, 4],
  ["LaneMkgsDriv", [128, 0, 192], 3, 0],
  ["LaneMkgsNonDriv", [192, 0, 64], 3, 0],
  ["Misc_Text", [128, 128, 64], 6, 7],
  ["MotorcycleScooter", [192, 0, 192], 10, 17],
  ["OtherMoving", [128, 64, 64], 8, UNKNOWN_LABEL],
  ["ParkingBlock", [64, 192, 128], 4, 1],
  ["Pedestrian", [64, 64, 0], 9, 11],
  ["Road", [128, 64, 128], 3, 0],
  ["RoadShoulder", [128, 128, 192], 4, VOID_LABEL],
  ["Sidewalk", [0, 0, 192], 4, 1],
  ["SignSymbol", [192, 128, 128], 6, 7],
  ["Sky", [128, 128, 128], 0, 10],
  ["SUVPickupTruck", [64, 128, 192], 8, 13],
  ["TrafficCone", [0, 0, 64], 2, UNKNOWN_LABEL],
  ["TrafficLight", [0, 64, 64], 6, 6],
  ["Train", [192, 64, 128], 8, 16],
  ["Tree", [128, 128, 0], 5, 8],
  ["Truck_Bus", [192, 128, 192], 8, VOID_LABEL],
  ["Tunnel", [64, 0, 64], 1, UNKNOWN_LABEL],
  ["VegetationMisc", [192, 192, 0], 5, 8],
  ["Void", [0, 0, 0], VOID_LABEL, VOID_LABEL],
  ["Wall", [64, 192, 0], 1, 3],
];

/** Seq05VD_f02610_L.png was saved with smoothed edges: 0.03 % of its pixels have colours between two labels. */
const strays = { meaning: VOID_LABEL, share: 0.001 } as const;

const table = (meaning: (label: (typeof labels)[number]) => number): LabelTable =>
  labels.map((label, id) => [id, label[0], label[1], meaning(label)]);

/** `<id>_L.png` of the official release, read as eleven classes. */
export const camvidColours: Labelling = {
  classes: camvid11,
  rule: { kind: "colours", meaning: coloursOf(table(([, , eleven]) => eleven)), strays },
};

/** The same files, read as the 19 classes of Cityscapes. */
export const camvidColoursAsCityscapes: Labelling = {
  classes: cityscapes19,
  rule: { kind: "colours", meaning: coloursOf(table(([, , , trainId]) => trainId)), strays },
};

/** SegNet's `<split>annot/<id>.png`: 0 to 10, 11 is void. */
export const camvidIds: Labelling = {
  classes: camvid11,
  rule: { kind: "ids", meaning: { ...Object.fromEntries(camvid11.classes.map((_, id) => [id, id])), 11: VOID_LABEL } },
};

/**
 * SegNet's files read as Cityscapes classes. Coarser than the colours: walls stay buildings, lights signs, lorries cars.
 */
export const camvidIdsAsCityscapes: Labelling = {
  classes: cityscapes19,
  rule: {
    kind: "ids",
    meaning: { 0: 10, 1: 2, 2: 5, 3: 0, 4: 1, 5: 8, 6: 7, 7: 4, 8: 13, 9: 11, 10: 12, 11: VOID_LABEL },
  },
};
