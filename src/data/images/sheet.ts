import type { RgbImage } from "./tensors.js";

type Colour = readonly [red: number, green: number, blue: number];

/** Several images of one size on one page. */
export class Sheet implements RgbImage {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  readonly #tile: { readonly width: number; readonly height: number };

  constructor(columns: number, rows: number, tile: { readonly width: number; readonly height: number }) {
    this.#tile = tile;
    this.width = columns * tile.width;
    this.height = rows * tile.height;
    this.rgb = new Uint8Array(this.width * this.height * 3);
  }

  /** rgb of one tile, at its column and row. */
  paste(rgb: Uint8Array, column: number, row: number): void {
    const { width, height } = this.#tile;
    for (let y = 0; y < height; y++) {
      const line = rgb.subarray(y * width * 3, (y + 1) * width * 3);
      this.rgb.set(line, ((row * height + y) * this.width + column * width) * 3);
    }
  }
}

/** Class colours with the image's own brightness showing through; ids without a colour are white. */
export function overlay(rgb: Uint8Array, ids: Uint8Array, colours: readonly Colour[]): Uint8Array {
  const painted = new Uint8Array(rgb.length);
  for (let i = 0; i < ids.length; i++) {
    const grey = 0.3 * rgb[3 * i]! + 0.59 * rgb[3 * i + 1]! + 0.11 * rgb[3 * i + 2]!;
    const colour = colours[ids[i]!] ?? [255, 255, 255];
    for (let c = 0; c < 3; c++) painted[3 * i + c] = Math.round(0.7 * colour[c]! + 0.3 * grey);
  }
  return painted;
}

/** The same image with the pixels blacked out that are not certain (1 certain, 0 not). */
export function onlyCertain(rgb: Uint8Array, certain: Uint8Array): Uint8Array {
  const kept = rgb.slice();
  blackOut(kept, certain);
  return kept;
}

/** The same in place: of a large image there is no room for another copy. */
export function blackOut(rgb: Uint8Array, certain: Uint8Array): void {
  for (let i = 0; i < certain.length; i++) if (certain[i] === 0) rgb.fill(0, 3 * i, 3 * i + 3);
}
