import { VOID_LABEL } from "../labels/labelSpace.js";
import { nearest, taps } from "./axis.js";
import type { Geometry } from "./geometry.js";

/** Red, green and blue one after the other, each height x width, between 0 and 1. */
export type Planes = Float32Array;

/** Bytes (height x width x 3) seen through a geometry: bilinear, padded with the nearest edge. */
export function imageThrough({ rows, columns }: Geometry, rgb: Uint8Array): Planes {
  const [down, across] = [taps(rows), taps(columns)];
  const [height, width] = [rows.places.length, columns.places.length];
  const pixels = height * width;
  const planes = new Float32Array(3 * pixels);
  const left = across.low.map((column) => 3 * column);
  const right = across.high.map((column) => 3 * column);
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [3 * columns.pixels * down.low[y]!, 3 * columns.pixels * down.high[y]!];
    // Bytes become shares of 255 here, so that it costs one product a row.
    const below = down.share[y]! / 255;
    const above = 1 / 255 - below;
    for (let x = 0; x < width; x++) {
      const share = across.share[x]!;
      const [a, b] = [top + left[x]!, top + right[x]!];
      const [c, d] = [bottom + left[x]!, bottom + right[x]!];
      const to = y * width + x;
      for (let channel = 0; channel < 3; channel++) {
        const upper = rgb[a + channel]! + (rgb[b + channel]! - rgb[a + channel]!) * share;
        const lower = rgb[c + channel]! + (rgb[d + channel]! - rgb[c + channel]!) * share;
        planes[channel * pixels + to] = upper * above + lower * below;
      }
    }
  }
  return planes;
}

/** Planes seen through a geometry: bilinear, padded with the nearest edge. */
export function planesThrough({ rows, columns }: Geometry, planes: Planes): Planes {
  const [down, across] = [taps(rows), taps(columns)];
  const [height, width] = [rows.places.length, columns.places.length];
  const { low, high, share } = across;
  const resampled = new Float32Array(3 * height * width);
  for (let channel = 0, to = 0; channel < 3; channel++) {
    const plane = planes.subarray(channel * rows.pixels * columns.pixels);
    for (let y = 0; y < height; y++) {
      const [top, bottom] = [columns.pixels * down.low[y]!, columns.pixels * down.high[y]!];
      const below = down.share[y]!;
      for (let x = 0; x < width; x++, to++) {
        const [l, r, s] = [low[x]!, high[x]!, share[x]!];
        const upper = plane[top + l]! + (plane[top + r]! - plane[top + l]!) * s;
        const lower = plane[bottom + l]! + (plane[bottom + r]! - plane[bottom + l]!) * s;
        resampled[to] = upper + (lower - upper) * below;
      }
    }
  }
  return resampled;
}

/** Labels (height x width) seen through a geometry: the nearest one, void where the view is padding. */
export function labelsThrough({ rows, columns }: Geometry, labels: Uint8Array): Uint8Array {
  const [down, across] = [nearest(rows), nearest(columns)];
  const seen = new Uint8Array(down.length * across.length).fill(VOID_LABEL);
  for (let y = 0; y < down.length; y++) {
    if (down[y]! < 0) continue;
    const from = down[y]! * columns.pixels;
    for (let x = 0, to = y * across.length; x < across.length; x++, to++) {
      if (across[x]! >= 0) seen[to] = labels[from + across[x]!]!;
    }
  }
  return seen;
}
