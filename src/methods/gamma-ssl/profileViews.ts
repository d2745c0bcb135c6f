import type { ViewOptions } from "../../data/augment/view.js";
import type { ProfileName } from "./options.js";

/** Views of the authors' code (A-4 to A-6); the text gives no sizes. */
const paper: ViewOptions = {
  height: 480,
  crop: [256, 256],
  scale: [0.69, 1.31],
  flip: 0.5,
  local: { chance: 0.5, side: [1 / 3, 1 / 2] },
  colour: { disturb: true, jitter: { brightness: 0.3, contrast: 0.3, saturation: 0.3, hue: 0.3 } },
};

/** How each profile turns images into training views, labelled and unlabelled ones alike. */
export const profileViews: Readonly<Record<ProfileName, ViewOptions>> = {
  paper,
  official: paper,
  // A third of a crop of 128 pixels shows too little to be told: the views would agree on a third of the pixels.
  small: { ...paper, height: 192, crop: [128, 160], local: { chance: 0.5, side: [0.5, 0.9] } },
};
