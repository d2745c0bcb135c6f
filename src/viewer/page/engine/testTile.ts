import type { RgbImage } from "../../../data/images/tensors.js";
import type { Maps } from "./protocol.js";

const [WIDTH, HEIGHT] = [88, 56];

/** A small image with slopes, edges and fine grain, the same everywhere. */
export const testTile: RgbImage = {
  width: WIDTH,
  height: HEIGHT,
  rgb: Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, i) => {
    const [pixel, channel] = [Math.floor(i / 3), i % 3];
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)];
    const slope = channel === 2 ? 255 - 3 * y : 2 * x + y;
    const block = (x >> 4) % 2 === (y >> 4) % 2 ? 40 : 0;
    return Math.min(255, Math.max(0, slope - block + ((i * 7919) % 31)));
  }),
};

/** Scores that differ by more are not rounding. */
export const MOST_DIFFERENCE = 1e-3;

/** Larger scores count by their size: those of baselines have no fixed scale. */
export function largestDifference(a: Maps, b: Maps): number {
  let largest = 0;
  for (let i = 0; i < a.score.length; i++) {
    const difference = Math.abs(a.score[i]! - b.score[i]!) / Math.max(1, Math.abs(a.score[i]!));
    if (!(difference <= largest)) largest = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
  }
  return largest;
}
