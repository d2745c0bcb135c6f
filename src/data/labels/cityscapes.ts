import { type ClassList, type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "./labelSpace.js";
import { coloursOf, idsOf, type LabelTable } from "./labelTable.js";

/**
 * The 19 Cityscapes training classes, in the order of their train ids, with the colours everybody draws them in.
 * https://github.com/mcordts/cityscapesScripts/blob/master/cityscapesscripts/helpers/labels.py
 */
export const cityscapesClasses = [
  { name: "road", colour: [128, 64, 128] },
  { name: "sidewalk", colour: [244, 35, 232] },
  { name: "building", colour: [70, 70, 70] },
  { name: "wall", colour: [102, 102, 156] },
  { name: "fence", colour: [190, 153, 153] },
  { name: "pole", colour: [153, 153, 153] },
  { name: "traffic light", colour: [250, 170, 30] },
  { name: "traffic sign", colour: [220, 220, 0] },
  { name: "vegetation", colour: [107, 142, 35] },
  { name: "terrain", colour: [152, 251, 152] },
  { name: "sky", colour: [70, 130, 180] },
  { name: "person", colour: [220, 20, 60] },
  { name: "rider", colour: [255, 0, 0] },
  { name: "car", colour: [0, 0, 142] },
  { name: "truck", colour: [0, 0, 70] },
  { name: "bus", colour: [0, 60, 100] },
  { name: "train", colour: [0, 80, 100] },
  { name: "motorcycle", colour: [0, 0, 230] },
  { name: "bicycle", colour: [119, 11, 32] },
] as const satisfies ClassList["classes"];

/** The seven categories that Cityscapes puts its classes into, and the classes of each; coloured as the most common of them. */
const categories = {
  flat: ["road", "sidewalk"],
  construction: ["building", "wall", "fence"],
  object: ["pole", "traffic light", "traffic sign"],
  nature: ["vegetation", "terrain"],
  sky: ["sky"],
  human: ["person", "rider"],
  vehicle: ["car", "truck", "bus", "train", "motorcycle", "bicycle"],
} as const satisfies Record<string, readonly [ClassName, ...ClassName[]]>;
type ClassName = (typeof cityscapesClasses)[number]["name"];

export const cityscapes7: ClassList = {
  name: "cityscapes7",
  classes: Object.entries(categories).map(([name, [first]]) => ({
    name,
    colour: cityscapesClasses.find((one) => one.name === first)!.colour,
  })),
};

/** The category, by its place in the list, of a class. */
export function categoryOf(name: ClassName): number {
  return Object.values(categories).findIndex((members: readonly string[]) => members.includes(name));
}

export const cityscapes19: ClassList = { name: "cityscapes19", classes: cityscapesClasses };

/**
 * The 34 label ids of Cityscapes, which KITTI and WildDash 1 share: id, name, colour, meaning.
 *
 * The benchmark ignores fifteen of them. We tell two kinds apart (requirement D-4). Named things that the 19 classes have
 * no place for are *unknown*: whatever is predicted there is wrong. Catch-alls, the car that carries the camera and
 * what lies outside the image are *void*: nobody said what is there. A group of poles is void as well: "pole" would
 * not be wrong.
 */
export const cityscapesTable: LabelTable = [
  [0, "unlabeled", [0, 0, 0], VOID_LABEL],
  [1, "ego vehicle", [0, 0, 0], VOID_LABEL],
  [2, "rectification border", [0, 0, 0], VOID_LABEL],
  [3, "out of roi", [0, 0, 0], VOID_LABEL],
  [4, "static", [0, 0, 0], VOID_LABEL],
  [5, "dynamic", [111, 74, 0], VOID_LABEL],
  [6, "ground", [81, 0, 81], VOID_LABEL],
  [7, "road", [128, 64, 128], 0],
  [8, "sidewalk", [244, 35, 232], 1],
  [9, "parking", [250, 170, 160], UNKNOWN_LABEL],
  [10, "rail track", [230, 150, 140], UNKNOWN_LABEL],
  [11, "building", [70, 70, 70], 2],
  [12, "wall", [102, 102, 156], 3],
  [13, "fence", [190, 153, 153], 4],
  [14, "guard rail", [180, 165, 180], UNKNOWN_LABEL],
  [15, "bridge", [150, 100, 100], UNKNOWN_LABEL],
  [16, "tunnel", [150, 120, 90], UNKNOWN_LABEL],
  [17, "pole", [153, 153, 153], 5],
  // Drawn in the colour of a pole, so that in colour maps it is one.
  [18, "polegroup", [153, 153, 153], VOID_LABEL],
  [19, "traffic light", [250, 170, 30], 6],
  [20, "traffic sign", [220, 220, 0], 7],
  [21, "vegetation", [107, 142, 35], 8],
  [22, "terrain", [152, 251, 152], 9],
  [23, "sky", [70, 130, 180], 10],
  [24, "person", [220, 20, 60], 11],
  [25, "rider", [255, 0, 0], 12],
  [26, "car", [0, 0, 142], 13],
  [27, "truck", [0, 0, 70], 14],
  [28, "bus", [0, 60, 100], 15],
  [29, "caravan", [0, 0, 90], UNKNOWN_LABEL],
  [30, "trailer", [0, 0, 110], UNKNOWN_LABEL],
  [31, "train", [0, 80, 100], 16],
  [32, "motorcycle", [0, 0, 230], 17],
  [33, "bicycle", [119, 11, 32], 18],
];

/** `_gtFine_labelIds.png`. License plates have the id -1, which a PNG holds as 255: void, as it lies on a car or a lorry. */
export const cityscapesIds: Labelling = {
  classes: cityscapes19,
  rule: { kind: "ids", meaning: { ...idsOf(cityscapesTable), 255: VOID_LABEL } },
};

/** `_gtFine_labelTrainIds.png`: 0 to 18, and 255 for everything the benchmark ignores, so that nothing here is unknown. */
export const cityscapesTrainIds: Labelling = {
  classes: cityscapes19,
  rule: {
    kind: "ids",
    meaning: { ...Object.fromEntries(cityscapesClasses.map((_, id) => [id, id])), 255: VOID_LABEL },
  },
};

/** `_gtFine_color.png`. License plates are 0, 0, 142 there: a car. */
export const cityscapesColours: Labelling = {
  classes: cityscapes19,
  rule: { kind: "colours", meaning: coloursOf(cityscapesTable) },
};
