import type { Planes } from "../../images/tensors.js";
import { brightness, clamp } from "./channels.js";

// torchvision's adjust_brightness, _contrast, _saturation and _hue, for values between 0 and 1.

/** Every value times the factor. In place. */
export function scaleBrightness(planes: Planes, factor: number): void {
  for (let i = 0; i < planes.length; i++) planes[i] = clamp(factor * planes[i]!);
}

/** Every value further from the mean brightness of the image by the factor; 0 leaves one grey. In place. */
export function scaleContrast(planes: Planes, factor: number): void {
  const pixels = planes.length / 3;
  let sum = 0;
  for (let i = 0; i < pixels; i++) sum += brightness(planes[i]!, planes[pixels + i]!, planes[2 * pixels + i]!);
  const offset = ((1 - factor) * sum) / pixels;
  for (let i = 0; i < planes.length; i++) planes[i] = clamp(factor * planes[i]! + offset);
}

/** Every value further from its pixel's brightness by the factor; 0 leaves a grey image. In place. */
export function scaleSaturation(planes: Planes, factor: number): void {
  const pixels = planes.length / 3;
  for (let i = 0; i < pixels; i++) {
    const r = planes[i]!;
    const g = planes[pixels + i]!;
    const b = planes[2 * pixels + i]!;
    const grey = (1 - factor) * brightness(r, g, b);
    planes[i] = clamp(factor * r + grey);
    planes[pixels + i] = clamp(factor * g + grey);
    planes[2 * pixels + i] = clamp(factor * b + grey);
  }
}

/**
 * Turn the colour circle by a share of it: 1/3 takes red to green, green to blue, blue to red. In place.
 *
 * The hue of HSV is moved, value (the largest channel) and saturation are kept. With m the smallest channel, c the
 * largest less the smallest and hue in sixths of the circle, a channel is m + c times a function of the distance between
 * the hue and that channel's own (red 0, green 2, blue 4): 1 up to a distance of 1, falling to 0 at 2. So no cases by sixth
 * are needed.
 */
export function shiftHue(planes: Planes, shift: number): void {
  const pixels = planes.length / 3;
  const turn = 6 * (shift - Math.floor(shift));
  for (let i = 0; i < pixels; i++) {
    const r = planes[i]!;
    const g = planes[pixels + i]!;
    const b = planes[2 * pixels + i]!;
    const largest = r > g ? (r > b ? r : b) : g > b ? g : b;
    const smallest = r < g ? (r < b ? r : b) : g < b ? g : b;
    const span = largest - smallest;
    if (span === 0) continue;
    let hue = turn + (largest === r ? (g - b) / span : largest === g ? 2 + (b - r) / span : 4 + (r - g) / span);
    // In [-3, 3) around red; within reach of one turn because `turn` is below 6 and the hue of a pixel in [-1, 5].
    if (hue >= 9) hue -= 12;
    else if (hue >= 3) hue -= 6;
    planes[i] = smallest + span * nearness(hue);
    planes[pixels + i] = smallest + span * nearness(hue < -1 ? hue + 4 : hue - 2);
    planes[2 * pixels + i] = smallest + span * nearness(hue < 1 ? hue + 2 : hue - 4);
  }
}

const nearness = (distance: number): number => clamp(2 - Math.abs(distance));
