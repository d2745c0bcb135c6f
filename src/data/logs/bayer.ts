import type { RawPixels } from "./imageMessage.js";

/** Colours of the first two pixels of the first two rows of a sensor. */
export type Pattern = "rggb" | "bggr" | "gbrg" | "grbg";

/**
 * The three colours of every pixel of a sensor that measured one of them: its own, and the mean of the nearest neighbours that measured
 * the other two (bilinear). At the border, the neighbours that there are.
 */
export function demosaic({ width, height, step, data }: RawPixels, pattern: Pattern): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  const colours = [...pattern].map((colour) => "rgb".indexOf(colour));
  const colourAt = (x: number, y: number): number => colours[2 * (y & 1) + (x & 1)]!;
  const sums = new Uint32Array(3);
  const counts = new Uint8Array(3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      sums.fill(0);
      counts.fill(0);
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
          const colour = colourAt(u, v);
          sums[colour]! += data[v * step + u]!;
          counts[colour]!++;
        }
      }
      const own = colourAt(x, y);
      for (let colour = 0; colour < 3; colour++) {
        // An image of one row or column lacks a colour: grey is the best guess.
        const mean = counts[colour] === 0 ? data[y * step + x]! : Math.round(sums[colour]! / counts[colour]!);
        rgb[3 * (y * width + x) + colour] = colour === own ? data[y * step + x]! : mean;
      }
    }
  }
  return rgb;
}
