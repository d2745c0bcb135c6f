import type { Planes } from "../../images/tensors.js";

/** The byte nearest to a value between 0 and 1. */
const byte = (value: number): number => (value * 255 + 0.5) | 0;

/** Keep the highest `bits` of each byte and clear the rest: 6 bits leave 0, 4, 8, … 252. In place. */
export function posterise(planes: Planes, bits: number): void {
  const kept = (0xff << (8 - bits)) & 0xff;
  for (let i = 0; i < planes.length; i++) planes[i] = (byte(planes[i]!) & kept) / 255;
}

/**
 * Spread the tones of each channel evenly over the range, as Pillow's and torchvision's `equalize`. In place.
 *
 * With the n pixels of a channel counted by byte, a step is (n - pixels of the brightest byte) / 255, rounded down. A byte
 * becomes (pixels darker than it + half a step) / step, rounded down, 255 at most. A channel of less than a step is left alone.
 */
export function equalise(planes: Planes): void {
  const pixels = planes.length / 3;
  for (let channel = 0; channel < 3; channel++) {
    const plane = planes.subarray(channel * pixels, (channel + 1) * pixels);
    const counts = new Int32Array(256);
    for (let i = 0; i < pixels; i++) counts[byte(plane[i]!)]!++;
    const step = Math.floor((pixels - counts.findLast((count) => count > 0)!) / 255);
    if (step === 0) continue;
    let darker = step >> 1;
    const tones = Float32Array.from(counts, (count) => {
      const tone = Math.min(255, Math.floor(darker / step)) / 255;
      darker += count;
      return tone;
    });
    for (let i = 0; i < pixels; i++) plane[i] = tones[byte(plane[i]!)]!;
  }
}
