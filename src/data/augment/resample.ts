import type { Planes } from "../images/tensors.js";
import { VOID_LABEL } from "../labels/labelSpace.js";
import { type Axis, nearest, taps } from "./axis.js";
import type { Geometry } from "./geometry.js";

/** Write bytes (height x width x 3), seen through a geometry, into planes: bilinear, padded with the nearest edge. */
export function imageThrough({ rows, columns }: Geometry, rgb: Uint8Array, into: Planes): void {
  const { low, high, share } = taps(columns);
  const width = low.length;
  blendRows(rows, into, width, (line, row) => {
    const start = 3 * columns.pixels * row;
    for (let x = 0; x < width; x++) {
      const left = start + 3 * low[x]!;
      const right = start + 3 * high[x]!;
      const after = share[x]! / 255; // bytes become shares of 255 here
      const before = 1 / 255 - after;
      line[x] = rgb[left]! * before + rgb[right]! * after;
      line[width + x] = rgb[left + 1]! * before + rgb[right + 1]! * after;
      line[2 * width + x] = rgb[left + 2]! * before + rgb[right + 2]! * after;
    }
  });
}

/** Write planes, seen through a geometry, into others: bilinear, padded with the nearest edge. */
export function planesThrough({ rows, columns }: Geometry, planes: Planes, into: Planes): void {
  const { low, high, share } = taps(columns);
  const width = low.length;
  blendRows(rows, into, width, (line, row) => {
    for (let channel = 0; channel < 3; channel++) {
      const start = (channel * rows.pixels + row) * columns.pixels;
      const to = channel * width;
      for (let x = 0; x < width; x++) {
        const left = planes[start + low[x]!]!;
        line[to + x] = left + (planes[start + high[x]!]! - left) * share[x]!;
      }
    }
  });
}

/**
 * The second half of bilinear resampling: each row of the result mixes two lines, which `read` makes of a row of the image,
 * channel after channel. Rows go one way, so a line is nearly always one of the last two read.
 */
function blendRows(rows: Axis, into: Planes, width: number, read: (line: Float32Array, row: number) => void): void {
  const { low, high, share } = taps(rows);
  const height = low.length;
  let upper = { row: -1, line: new Float32Array(3 * width) };
  let lower = { row: -1, line: new Float32Array(3 * width) };
  for (let y = 0; y < height; y++) {
    if (upper.row !== low[y]) [upper, lower] = [lower, upper];
    for (const [side, row] of [[upper, low[y]!] as const, [lower, high[y]!] as const]) {
      if (side.row !== row) read(side.line, row);
      side.row = row;
    }
    const [above, below, part] = [upper.line, lower.line, share[y]!];
    for (let channel = 0; channel < 3; channel++) {
      const from = channel * width;
      const to = (channel * height + y) * width;
      for (let x = 0; x < width; x++) into[to + x] = above[from + x]! + (below[from + x]! - above[from + x]!) * part;
    }
  }
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
