import type { ViewOptions } from "../../data/augment/view.js";
import type { GammaConfig } from "./config.js";

/** How unlabelled views are drawn. */
export const unlabelledView = ({ view, targetColour }: GammaConfig): ViewOptions => ({
  ...view,
  colour: targetColour ?? view.colour,
});
