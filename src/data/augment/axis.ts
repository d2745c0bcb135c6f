import type { Span } from "../../engine/tensor/interpolation.js";

/**
 * Where samples along one axis come from.
 *
 * Places are in pixels of the image that is sampled: 0 is the centre of the first one. A place more than half a pixel
 * beyond the first or the last centre is outside; reading there gives the pixel at the edge.
 */
export interface Axis {
  readonly pixels: number;
  readonly places: Float64Array;
}

/** A window of `length` samples into the axis once it has been stretched from `pixels` to `stretched` pixels (`centres`). */
export function windowAxis(pixels: number, stretched: number, { start, length }: Span): Axis {
  const ratio = pixels / stretched;
  return { pixels, places: Float64Array.from({ length }, (_, i) => (start + i + 0.5) * ratio - 0.5) };
}

/** A stretch of the axis spread over all of it: its first and last pixel land on the first and last sample (`corners`). */
export function localAxis(pixels: number, { start, length }: Span): Axis {
  const step = pixels === 1 ? 0 : (length - 1) / (pixels - 1);
  return { pixels, places: Float64Array.from({ length: pixels }, (_, i) => start + i * step) };
}

/** The same samples in the opposite order. */
export const mirrored = ({ pixels, places }: Axis): Axis => ({ pixels, places: places.slice().reverse() });

/** The two pixels a sample lies between, and the share of the second. */
export interface Taps {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly share: Float64Array;
}

/** Linear interpolation between neighbours; beyond the edge, the edge. */
export function taps({ pixels, places }: Axis): Taps {
  const [low, high] = [new Int32Array(places.length), new Int32Array(places.length)];
  const share = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) {
    const place = Math.min(Math.max(places[i]!, 0), pixels - 1);
    low[i] = Math.floor(place);
    high[i] = Math.min(low[i]! + 1, pixels - 1);
    share[i] = place - low[i]!;
  }
  return { low, high, share };
}

/** The pixel nearest to each sample (halves go up), or -1 outside the image. */
export function nearest({ pixels, places }: Axis): Int32Array {
  return Int32Array.from(places, (place) => {
    const pixel = Math.floor(place + 0.5);
    return pixel >= 0 && pixel < pixels ? pixel : -1;
  });
}
