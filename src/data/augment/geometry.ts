import type { Random } from "../../engine/tensor/random.js";
import { type Axis, localAxis, mirrored, nearest, taps, windowAxis } from "./axis.js";
import type { ViewOptions } from "./view.js";

/**
 * How a view is cut from an image: where its rows and its columns come from. The one object moves the image and its
 * labels (see resample.ts), so they cannot come apart, and it can say where a pixel came from.
 */
export interface Geometry {
  readonly rows: Axis;
  readonly columns: Axis;
}

export interface Extent {
  readonly height: number;
  readonly width: number;
}

/**
 * The global view (T^G): the image scaled by a random factor, a window of the crop's size at a random place, perhaps
 * mirrored (requirement A-4).
 *
 * Scaling samples pixel centres (`centres`, half a pixel from the border), so what is seen does not shrink or shift with the
 * factor. Nothing is smoothed beforehand: factors are near 1. An image that is smaller than the window lies at a random
 * place inside it.
 */
export function drawGlobal({ crop, scale, flip }: ViewOptions, { height, width }: Extent, random: Random): Geometry {
  const factor = scale[0] + (scale[1] - scale[0]) * random.uniform();
  const rows = drawWindow(height, factor, crop[0], random);
  const columns = drawWindow(width, factor, crop[1], random);
  return { rows, columns: random.uniform() < flip ? mirrored(columns) : columns };
}

function drawWindow(pixels: number, factor: number, length: number, random: Random): Axis {
  const stretched = Math.max(1, Math.round(pixels * factor));
  const room = stretched - length;
  const start = room >= 0 ? random.below(room + 1) : -random.below(-room + 1);
  return windowAxis(pixels, stretched, { start, length });
}

/**
 * The local view (T^L): a part of the crop, its side a random share of the crop's, resized back to the crop's size with
 * its corners on the crop's corners (requirement A-5).
 */
export function drawLocal({ crop: [height, width], local }: ViewOptions, random: Random): Geometry {
  const share = local.side[0] + (local.side[1] - local.side[0]) * random.uniform();
  return { rows: drawPart(height, share, random), columns: drawPart(width, share, random) };
}

function drawPart(pixels: number, share: number, random: Random): Axis {
  const length = Math.min(pixels, Math.max(1, Math.round(pixels * share)));
  return localAxis(pixels, { start: random.below(pixels - length + 1), length });
}

/** 1 where the view shows the image, 0 where it is padding (requirement A-8). Row by row. */
export function validity(global: Geometry, local: Geometry | null): Float32Array {
  const rows = validAlong(global.rows, local?.rows);
  const columns = validAlong(global.columns, local?.columns);
  const valid = new Float32Array(rows.length * columns.length);
  for (let y = 0; y < rows.length; y++) if (rows[y] === 1) valid.set(columns, y * columns.length);
  return valid;
}

/** After a local crop a sample is valid if all it was mixed from is. */
function validAlong(global: Axis, local: Axis | undefined): Float32Array {
  const shown = Float32Array.from(nearest(global), (pixel) => (pixel >= 0 ? 1 : 0));
  if (local === undefined) return shown;
  const { low, high, share } = taps(local);
  return Float32Array.from(low, (pixel, i) => Math.min(shown[pixel]!, share[i] === 0 ? 1 : shown[high[i]!]!));
}
