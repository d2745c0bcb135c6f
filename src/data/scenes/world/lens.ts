import type { Colour } from "./colour.js";
import type { SeededRandom } from "./seededRandom.js";

/** What the camera does to the image after the world is drawn. Image only: labels stay as they are. */
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

/** Develop a rendered image (HWC bytes) in place. */
export function develop(rgb: Uint8Array, width: number, height: number, lens: Lens, chance: SeededRandom): void {
  if (lens.drops !== undefined) rainOnGlass(rgb, width, height, lens.drops, chance.child("drops"));
  if (lens.blur > 0) blur(rgb, width, height, lens.blur);
  const { exposure, contrast, saturation, tint } = lens;
  const gain = tint.map((channel) => (channel / 255) * exposure * contrast);
  const own = gain.map((channel) => channel * saturation);
  const grey = [0.3, 0.59, 0.11].map((weight, c) => weight * gain[c]! * (1 - saturation));
  expose(rgb, width, {
    own: Float64Array.from(own),
    grey: Float64Array.from(grey),
    base: 118 * (1 - contrast),
    vignette: lens.vignette,
    speckle: lens.noise / 256,
    seed: chance.integer(0, 0x7fffffff),
  });
}

/** White balance, saturation and contrast as numbers: each channel is so much of itself, of all three, and a base. */
interface Exposure {
  readonly own: Float64Array;
  readonly grey: Float64Array;
  readonly base: number;
  readonly vignette: number;
  readonly speckle: number;
  readonly seed: number;
}

function expose(rgb: Uint8Array, width: number, { own, grey, base, vignette, speckle, seed }: Exposure): void {
  // A clamped array rounds and stays within 0 to 255 by itself.
  const levels = new Uint8ClampedArray(rgb.buffer, rgb.byteOffset, rgb.length);
  const [ownRed, ownGreen, ownBlue] = [own[0]!, own[1]!, own[2]!];
  const [greyRed, greyGreen, greyBlue] = [grey[0]!, grey[1]!, grey[2]!];
  const height = rgb.length / 3 / width;
  for (let y = 0, i = 0; y < height; y++) {
    const dy = (2 * y) / height - 1;
    for (let x = 0; x < width; x++, i += 3) {
      const dx = (2 * x) / width - 1;
      const corner = 1 - vignette * (dx * dx + dy * dy) * 0.5;
      const red = levels[i]! * corner;
      const green = levels[i + 1]! * corner;
      const blue = levels[i + 2]! * corner;
      const shade = greyRed * red + greyGreen * green + greyBlue * blue + base;
      // Brightness noise shared by the pixel and some per channel, as Bayer sensors show it.
      const bits = scramble(i ^ seed);
      const shared = (bits & 255) + ((bits >>> 8) & 255) - 383;
      levels[i] = shade + ownRed * red + (shared + ((bits >>> 16) & 255)) * speckle;
      levels[i + 1] = shade + ownGreen * green + (shared + ((bits >>> 20) & 255)) * speckle;
      levels[i + 2] = shade + ownBlue * blue + (shared + (bits >>> 24)) * speckle;
    }
  }
}

/** Thirty-two well mixed bits from a counter (the finaliser of MurmurHash3): noise without a stream. */
function scramble(counter: number): number {
  let x = Math.imul(counter ^ (counter >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** Three-tap blur across, then down, in 256ths. */
function blur(rgb: Uint8Array, width: number, height: number, leak: number): void {
  const share = Math.round(leak * 256);
  const keep = 256 - 2 * share;
  const row = width * 3;
  const across = new Uint16Array(rgb.length);
  // As if the image were one line, which is wrong only at its borders.
  for (let i = 3; i < rgb.length - 3; i++) across[i] = keep * rgb[i]! + share * (rgb[i - 3]! + rgb[i + 3]!);
  for (let start = 0; start < rgb.length; start += row) {
    for (let i = start; i < start + 3; i++) {
      const end = i + row - 3;
      across[i] = (keep + share) * rgb[i]! + share * rgb[i + 3]!;
      across[end] = (keep + share) * rgb[end]! + share * rgb[end - 3]!;
    }
  }
  for (let y = 0; y < height; y++) {
    const up = y === 0 ? 0 : -row;
    const down = y === height - 1 ? 0 : row;
    for (let i = y * row; i < (y + 1) * row; i++) {
      rgb[i] = (keep * across[i]! + share * (across[i + up]! + across[i + down]!) + 32768) >> 16;
    }
  }
}

/** Each drop is a small lens: it shows the scene upside down, a little brighter. */
function rainOnGlass(rgb: Uint8Array, width: number, height: number, count: number, chance: SeededRandom): void {
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
