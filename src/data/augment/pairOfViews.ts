import { normalise, type Picture } from "../images/tensors.js";
import { alignment } from "./alignment.js";
import { recolour } from "./colour/recolour.js";
import { drawGlobal, drawLocal, type Geometry, validity } from "./geometry.js";
import type { Draw } from "./labelledView.js";
import { imageThrough, type Planes, planesThrough } from "./resample.js";
import type { ViewOptions } from "./view.js";

/** One of two views of a picture. */
export interface ViewOfPair {
  /** Normalised, [3, H, W]. */
  readonly image: Planes;
  /** Take scores of this image, at a stride, to where the other view's scores lie: [H, H/s] and [W, W/s]. */
  readonly rows: Float32Array;
  readonly columns: Float32Array;
}

export interface PairOfViews {
  readonly first: ViewOfPair;
  readonly second: ViewOfPair;
  /** 1 where both, laid on each other, see the picture; [H, W]. */
  readonly valid: Float32Array;
}

/**
 * Two views of one global crop (requirements, Eq. 6): one, drawn for each picture, is a local crop of it, the
 * other all of it. Each has colours of its own.
 *
 * To compare them, the scores of the whole view go through the local crop that the other image went through; those of the
 * local view stay as they are. Both then lie in the frame of the local crop.
 */
export function pairOfViews(
  { rgb, ...extent }: Picture,
  view: ViewOptions,
  { scoreStride }: { readonly scoreStride: number },
  draw: Draw,
): PairOfViews {
  const global = drawGlobal(view, extent, draw("global"));
  const whole = imageThrough(global, rgb);
  const chance = draw("local");
  const firstIsCut = chance.uniform() < 0.5;
  const local = drawLocal(view, chance);
  const cut = planesThrough(local, whole);

  const [height, width] = view.crop;
  const finish = (image: Planes, through: Geometry | null, purpose: string): ViewOfPair => {
    recolour(image, view.crop, view.colour, draw(purpose));
    normalise(image);
    return {
      image,
      rows: alignment(height, scoreStride, through?.rows ?? null),
      columns: alignment(width, scoreStride, through?.columns ?? null),
    };
  };
  return {
    first: finish(firstIsCut ? cut : whole, firstIsCut ? null : local, "first colour"),
    second: finish(firstIsCut ? whole : cut, firstIsCut ? local : null, "second colour"),
    valid: validity(global, local),
  };
}
