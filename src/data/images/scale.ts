import type { ImageLevels } from "./tensors.js";

interface Extent {
  readonly width: number;
  readonly height: number;
}

/** Where each sample of a scaled axis comes from: for each, pixels and their weights, which sum to 1. */
type Filter = readonly { readonly pixels: Int32Array; readonly weights: Float32Array }[];

/**
 * A triangle as wide as the pixels of the result (libvips "linear"), beyond the edge the pixel at the edge: a scaled-down image
 * does not shimmer. A scaled-up one is half a pixel of the result to the right and below, as libvips has it.
 */
function triangle(from: number, to: number): Filter {
  const ratio = from / to;
  const reach = Math.max(1, ratio);
  return Array.from({ length: to }, (_, i) => {
    const centre = (ratio < 1 ? i : i + 0.5) * ratio - 0.5;
    const start = Math.ceil(centre - reach);
    const length = Math.floor(centre + reach) - start + 1;
    const raw = Float32Array.from({ length }, (_, k) => Math.max(0, 1 - Math.abs(start + k - centre) / reach));
    const total = raw.reduce((sum, weight) => sum + weight, 0);
    return {
      pixels: Int32Array.from({ length }, (_, k) => Math.min(Math.max(start + k, 0), from - 1)),
      weights: raw.map((weight) => weight / total),
    };
  });
}

/**
 * An image at another size, filtered as training filters it, in plain arithmetic: what exported models are compared with. Not rounded to
 * whole levels, as they do not round either.
 */
export function scaledLevels({ rgb, width, height }: ImageLevels, to: Extent): ImageLevels {
  if (to.width === width && to.height === height) return { rgb, width, height };
  const lines = new Float32Array(to.height * width * 3);
  for (const [y, { pixels, weights }] of triangle(height, to.height).entries()) {
    const line = lines.subarray(y * width * 3, (y + 1) * width * 3);
    for (let k = 0; k < pixels.length; k++) {
      const start = pixels[k]! * width * 3;
      for (let i = 0; i < line.length; i++) line[i]! += weights[k]! * rgb[start + i]!;
    }
  }
  const scaled = new Float32Array(to.height * to.width * 3);
  const across = triangle(width, to.width);
  for (let y = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++) {
      const { pixels, weights } = across[x]!;
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = 0; k < pixels.length; k++) sum += weights[k]! * lines[(y * width + pixels[k]!) * 3 + c]!;
        scaled[(y * to.width + x) * 3 + c] = sum;
      }
    }
  }
  return { rgb: scaled, width: to.width, height: to.height };
}

/** A map of values at another size: each pixel takes the value of the nearest one. */
export function nearestMap<Values extends Uint8Array | Float32Array>(values: Values, from: Extent, to: Extent): Values {
  if (from.width === to.width && from.height === to.height) return values;
  const scaled = new (values.constructor as new (length: number) => Values)(to.width * to.height);
  const columns = Int32Array.from({ length: to.width }, (_, x) => Math.floor(((x + 0.5) * from.width) / to.width));
  for (let y = 0; y < to.height; y++) {
    const row = from.width * Math.floor(((y + 0.5) * from.height) / to.height);
    for (let x = 0; x < to.width; x++) scaled[y * to.width + x] = values[row + columns[x]!]!;
  }
  return scaled;
}
