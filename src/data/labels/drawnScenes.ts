import { categoryOf, cityscapes7, cityscapes19, cityscapesClasses } from "./cityscapes.js";
import { type Labelling, UNKNOWN_LABEL } from "./labelSpace.js";

/** The label PNGs of the drawn scenes: train ids, and 19 for things the city has no class for. Nothing is void: we drew it all. */
export const drawnScenesIds: Labelling = {
  classes: cityscapes19,
  rule: {
    kind: "ids",
    meaning: { ...Object.fromEntries(cityscapesClasses.map((_, id) => [id, id])), 19: UNKNOWN_LABEL },
  },
};

/** The same in seven categories, for images so small that a traffic light is a single pixel. */
export const drawnScenesCategories: Labelling = {
  classes: cityscapes7,
  rule: {
    kind: "ids",
    meaning: {
      ...Object.fromEntries(cityscapesClasses.map(({ name }, id) => [id, categoryOf(name)])),
      19: UNKNOWN_LABEL,
    },
  },
};
