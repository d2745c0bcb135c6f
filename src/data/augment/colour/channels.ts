import type { Random } from "../../../engine/tensor/random.js";
import type { Planes } from "../../images/tensors.js";

/** Weights of red, green and blue in brightness (ITU-R BT.601), as Pillow and torchvision have them. */
const [RED, GREEN, BLUE] = [0.2989, 0.587, 0.114];

/** 0.2989 red + 0.587 green + 0.114 blue: how bright a colour looks. */
export const brightness = (red: number, green: number, blue: number): number => RED * red + GREEN * green + BLUE * blue;

/** Every channel becomes the brightness. In place. */
export function greyscale(planes: Planes): void {
  const pixels = planes.length / 3;
  for (let i = 0; i < pixels; i++) {
    const grey = brightness(planes[i]!, planes[pixels + i]!, planes[2 * pixels + i]!);
    planes[i] = grey;
    planes[pixels + i] = grey;
    planes[2 * pixels + i] = grey;
  }
}

/** Red, green and blue change places: channel c becomes what channel `order[c]` was. In place. */
export function shuffleChannels(planes: Planes, order: readonly number[]): void {
  const pixels = planes.length / 3;
  const before = planes.slice();
  order.forEach((from, to) => {
    planes.set(before.subarray(from * pixels, (from + 1) * pixels), to * pixels);
  });
}

/** Every value moves by a normal number of this deviation, and stays within 0 and 1. In place. */
export function addNoise(planes: Planes, deviation: number, { uniform }: Random): void {
  // Marsaglia's polar method: a point in the unit disc gives two normal numbers.
  for (let i = 0; i < planes.length; ) {
    const x = 2 * uniform() - 1;
    const y = 2 * uniform() - 1;
    const square = x * x + y * y;
    if (square >= 1 || square === 0) continue;
    const stretch = deviation * Math.sqrt((-2 * Math.log(square)) / square);
    planes[i] = clamp(planes[i]! + stretch * x);
    if (++i < planes.length) planes[i] = clamp(planes[i]! + stretch * y);
    i++;
  }
}

export const clamp = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);
