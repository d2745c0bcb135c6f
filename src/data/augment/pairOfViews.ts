import { interpolation } from "../../engine/tensor/interpolation.js";
import { normalise, type Planes, type RgbImage } from "../images/tensors.js";
import { type Axis, taps } from "./axis.js";
import { recolour } from "./colour/recolour.js";
import { drawGlobal, drawLocal, type Geometry, validity } from "./geometry.js";
import type { Draw } from "./labelledView.js";
import { imageThrough, planesThrough } from "./resample.js";
import type { ViewOptions } from "./view.js";

/** How two views come to lie on each other. */
export interface Matching {
  readonly first: Alignment;
  readonly second: Alignment;
  /** 1 where both, laid on each other, see the image; [H, W]. */
  readonly valid: Float32Array;
}

/** Takes scores of one image, at a stride, to where the other's lie: [H, H/s] for rows and [W, W/s] for columns. */
export interface Alignment {
  readonly rows: Float32Array;
  readonly columns: Float32Array;
}

/**
 * Two views of one global crop (requirements, Eq. 6): one, drawn for each image, is a local crop of it, the
 * other all of it. Each has colours of its own.
 *
 * To compare them, the scores of the whole view go through the local crop that the other image went through; those of the
 * local view stay as they are. Both then lie in the frame of the local crop.
 *
 * The images, [3, H, W] and normalised, are written into `first` and `second`.
 */
export function pairOfViews(
  { rgb, ...extent }: RgbImage,
  view: ViewOptions,
  scoreStride: number,
  draw: Draw,
  { first, second }: { readonly first: Planes; readonly second: Planes },
): Matching {
  const global = drawGlobal(view, extent, draw("global"));
  const chance = draw("local");
  const firstIsCut = chance.uniform() < 0.5;
  const local = drawLocal(view, chance);

  const [whole, cut] = firstIsCut ? [second, first] : [first, second];
  imageThrough(global, rgb, whole);
  planesThrough(local, whole, cut);
  recolour(first, view.crop, view.colour, draw("first colour"));
  recolour(second, view.crop, view.colour, draw("second colour"));
  normalise(first);
  normalise(second);

  const through = (geometry: Geometry | null): Alignment => ({
    rows: alignment(view.crop[0], scoreStride, geometry?.rows ?? null),
    columns: alignment(view.crop[1], scoreStride, geometry?.columns ?? null),
  });
  return {
    first: through(firstIsCut ? null : local),
    second: through(firstIsCut ? local : null),
    valid: validity(global, local),
  };
}

/**
 * Along one axis: scores at a stride to full size, and from there through a local crop. Both are `corners`.
 *
 * The product of two matrices, crop [pixels, pixels] times upsampling [pixels, pixels / stride], row by row: [pixels,
 * pixels / stride]. Without a crop it is the upsampling alone. A row of the crop mixes two pixels, so the product mixes
 * two rows of the upsampling.
 */
export function alignment(pixels: number, stride: number, crop: Axis | null): Float32Array {
  const scores = pixels / stride;
  const upsampling = interpolation(scores, pixels, "corners").data as Float32Array;
  if (crop === null) return upsampling;
  const { low, high, share } = taps(crop);
  const composed = new Float32Array(pixels * scores);
  for (let sample = 0, to = 0; sample < pixels; sample++) {
    const [first, second, part] = [low[sample]! * scores, high[sample]! * scores, share[sample]!];
    for (let score = 0; score < scores; score++, to++) {
      composed[to] = upsampling[first + score]! * (1 - part) + upsampling[second + score]! * part;
    }
  }
  return composed;
}
