import type { Chance } from "./chance.js";
import type { Colour } from "./colour.js";

/** What the camera does to the picture after the world is drawn. Photo only: labels stay as they are. */
export interface Lens {
  /** Light gathered: 1 is right, 1.3 is blown out. */
  readonly exposure: number;
  /** 1 leaves contrast and saturation alone. */
  readonly contrast: number;
  readonly saturation: number;
  /** White balance: 255 leaves a channel alone. */
  readonly tint: Colour;
  /** Share of light lost in the corners. */
  readonly vignette: number;
  /** Spread of sensor noise, in grey levels. */
  readonly noise: number;
  /** Share of each pixel that leaks to each of its neighbours, 0 to 0.33. */
  readonly blur: number;
  /** Water drops on the glass. */
  readonly drops?: number;
}

/** Develop a rendered picture (HWC bytes) in place. */
export function develop(rgb: Uint8Array, width: number, height: number, lens: Lens, chance: Chance): void {
  if (lens.drops !== undefined) rainOnGlass(rgb, width, height, lens.drops, chance.child("drops"));
  if (lens.blur > 0) blur(rgb, width, height, lens.blur);
  const seed = chance.integer(0, 0x7fffffff);
  const speckle = lens.noise / 256;
  const { contrast, saturation } = lens;
  const gainRed = (lens.tint[0] / 255) * lens.exposure;
  const gainGreen = (lens.tint[1] / 255) * lens.exposure;
  const gainBlue = (lens.tint[2] / 255) * lens.exposure;
  for (let y = 0; y < height; y++) {
    const dy = (2 * y) / height - 1;
    for (let x = 0; x < width; x++) {
      const dx = (2 * x) / width - 1;
      const corner = 1 - lens.vignette * (dx * dx + dy * dy) * 0.5;
      const i = (y * width + x) * 3;
      const red = rgb[i]! * gainRed * corner;
      const green = rgb[i + 1]! * gainGreen * corner;
      const blue = rgb[i + 2]! * gainBlue * corner;
      const grey = 0.3 * red + 0.59 * green + 0.11 * blue;
      // Brightness noise shared by the pixel and some per channel, as Bayer sensors show it.
      const bits = scramble(i ^ seed);
      const shared = (bits & 255) + ((bits >>> 8) & 255) - 255;
      rgb[i] = level(red, grey, saturation, contrast, (shared + ((bits >>> 16) & 255) - 128) * speckle);
      rgb[i + 1] = level(green, grey, saturation, contrast, (shared + ((bits >>> 20) & 255) - 128) * speckle);
      rgb[i + 2] = level(blue, grey, saturation, contrast, (shared + (bits >>> 24) - 128) * speckle);
    }
  }
}

/** Thirty-two well mixed bits from a counter (the finaliser of MurmurHash3): noise without a stream. */
function scramble(counter: number): number {
  let x = Math.imul(counter ^ (counter >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

function level(channel: number, grey: number, saturation: number, contrast: number, noise: number): number {
  const value = (grey + (channel - grey) * saturation - 118) * contrast + 118.5 + noise;
  return value < 0 ? 0 : value > 255 ? 255 : value | 0;
}

/** Three-tap blur across, then down. */
function blur(rgb: Uint8Array, width: number, height: number, leak: number): void {
  const keep = 1 - 2 * leak;
  const copy = new Float32Array(rgb);
  const row = width * 3;
  for (let y = 0; y < height; y++) {
    for (let k = 0; k < row; k++) {
      const i = y * row + k;
      copy[i] = keep * rgb[i]! + leak * (rgb[k < 3 ? i : i - 3]! + rgb[k >= row - 3 ? i : i + 3]!);
    }
  }
  for (let i = 0; i < copy.length; i++) {
    const up = i < row ? i : i - row;
    const down = i >= copy.length - row ? i : i + row;
    rgb[i] = Math.round(keep * copy[i]! + leak * (copy[up]! + copy[down]!));
  }
}

/** Each drop is a small lens: it shows the scene upside down, a little brighter. */
function rainOnGlass(rgb: Uint8Array, width: number, height: number, count: number, chance: Chance): void {
  const original = rgb.slice();
  for (let n = 0; n < count; n++) {
    const [cx, cy] = [chance.between(0, width), chance.between(0, height)];
    const rx = (width / 256) * chance.between(2.5, 9);
    const ry = rx * chance.between(1, 1.6);
    for (let y = Math.max(0, Math.floor(cy - ry)); y < Math.min(height, cy + ry); y++) {
      for (let x = Math.max(0, Math.floor(cx - rx)); x < Math.min(width, cx + rx); x++) {
        const [dx, dy] = [(x - cx) / rx, (y - cy) / ry];
        if (dx * dx + dy * dy > 1) continue;
        const sx = Math.max(0, Math.min(width - 1, Math.round(cx - dx * rx * 3)));
        const sy = Math.max(0, Math.min(height - 1, Math.round(cy - dy * ry * 3)));
        for (let c = 0; c < 3; c++) {
          const value = original[(sy * width + sx) * 3 + c]! * (0.85 + 0.3 * -dy) + 12;
          rgb[(y * width + x) * 3 + c] = Math.max(0, Math.min(255, Math.round(value)));
        }
      }
    }
  }
}
