import { type ClassList, type Labelling, VOID_LABEL } from "./labelSpace.js";
import { coloursOf } from "./labelTable.js";

const comma4: ClassList = {
  name: "comma4",
  classes: [
    { name: "road", colour: [64, 32, 32] },
    { name: "lane marking", colour: [255, 0, 0] },
    { name: "undrivable", colour: [128, 128, 96] },
    { name: "movable", colour: [0, 255, 102] },
  ],
};

/**
 * comma10k's masks: five colours, of which the car that carries the camera is void.
 * https://github.com/commaai/comma10k#categories-of-internal-segnet
 */
export const comma10kColours: Labelling = {
  classes: comma4,
  rule: {
    kind: "colours",
    meaning: coloursOf([
      [0, "road", [64, 32, 32], 0],
      [1, "lane marking", [255, 0, 0], 1],
      [2, "undrivable", [128, 128, 96], 2],
      [3, "movable", [0, 255, 102], 3],
      [4, "own car", [204, 0, 255], VOID_LABEL],
    ]),
  },
};
