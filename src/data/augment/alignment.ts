import { interpolation } from "../../engine/tensor/interpolation.js";
import { type Axis, taps } from "./axis.js";

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
