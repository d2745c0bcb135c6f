import type { Random } from "../../engine/tensor/random.js";
import { normalise, type Planes, type RgbImage } from "../images/tensors.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../labels/labelSpace.js";
import { recolour } from "./colour/recolour.js";
import { drawGlobal, drawLocal } from "./geometry.js";
import { imageThrough, labelsThrough, planesThrough } from "./resample.js";
import type { ViewOptions } from "./view.js";

/** Random numbers for one purpose of one sample, so that drawing more for one purpose leaves the others as they were. */
export type Draw = (purpose: string) => Random;

/**
 * A view to learn from (requirement A-3): a global crop, by chance a local crop of that, other colours.
 *
 * The image, [3, H, W] and normalised, is written into `image`, so that a batch is made in its own memory. Returned are its
 * labels, [H, W], void where there is nothing to learn: unknown things and padding.
 */
export function labelledView(
  { rgb, labels, ...extent }: RgbImage & { readonly labels: Uint8Array },
  view: ViewOptions,
  draw: Draw,
  image: Planes,
): Uint8Array {
  const global = drawGlobal(view, extent, draw("global"));
  let seen = labelsThrough(global, labels);
  const chance = draw("local");
  if (chance.uniform() < view.local.chance) {
    const local = drawLocal(view, chance);
    const whole = new Float32Array(image.length);
    imageThrough(global, rgb, whole);
    planesThrough(local, whole, image);
    seen = labelsThrough(local, seen);
  } else {
    imageThrough(global, rgb, image);
  }
  for (let i = 0; i < seen.length; i++) if (seen[i] === UNKNOWN_LABEL) seen[i] = VOID_LABEL;
  recolour(image, view.crop, view.colour, draw("colour"));
  normalise(image);
  return seen;
}
