/// <reference lib="dom" />
import type { RgbImage } from "./tensors.js";

/** Red, green and blue of what a canvas can draw, at the size given. For browsers. */
export function drawnPixels(image: CanvasImageSource, { width, height }: { width: number; height: number }): RgbImage {
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  context.drawImage(image, 0, 0);
  return withoutAlpha(context.getImageData(0, 0, width, height));
}

export function withoutAlpha({ data, width, height }: ImageData): RgbImage {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0, to = 0; to < rgb.length; i += 4, to += 3) {
    rgb[to] = data[i]!;
    rgb[to + 1] = data[i + 1]!;
    rgb[to + 2] = data[i + 2]!;
  }
  return { rgb, width, height };
}
