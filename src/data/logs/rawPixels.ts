import { MOST_PIXELS, tooLarge } from "../images/imageLimits.js";
import type { RgbImage } from "../images/tensors.js";
import type { RawPixels } from "./imageMessage.js";

/** An encoding: bytes of a pixel, and how a row becomes red, green and blue. */
interface Encoding {
  readonly bytes: number;
  toRgb(raw: RawPixels): Uint8Array;
}

/** Rows of pixels whose red, green and blue are three of their bytes. */
const channels = (bytes: number, [red, green, blue]: readonly [number, number, number]): Encoding => ({
  bytes,
  toRgb({ width, height, step, data }) {
    const rgb = new Uint8Array(width * height * 3);
    for (let y = 0, to = 0; y < height; y++) {
      for (let x = 0, from = y * step; x < width; x++, from += bytes, to += 3) {
        rgb[to] = data[from + red]!;
        rgb[to + 1] = data[from + green]!;
        rgb[to + 2] = data[from + blue]!;
      }
    }
    return rgb;
  },
});

/** The high byte is the picture; the low one is finer than a screen shows. */
const mono16: Encoding = {
  bytes: 2,
  toRgb: (raw) => channels(2, raw.bigEndian ? [0, 0, 0] : [1, 1, 1]).toRgb(raw),
};

/** Two pixels share their colour (4:2:2). `luma` is the place of the first pixel's brightness, `u` and `v` those of the colour. */
const yuv = (luma: number, u: number, v: number): Encoding => ({
  bytes: 2,
  toRgb({ width, height, step, data }) {
    // Clamped by the array itself. BT.601 with 16 … 235, as OpenCV and so cv_bridge convert it.
    const rgb = new Uint8ClampedArray(width * height * 3);
    for (let y = 0, to = 0; y < height; y++) {
      for (let x = 0; x < width; x++, to += 3) {
        const pair = y * step + 4 * (x >> 1);
        const bright = 1.164383 * (data[pair + luma + 2 * (x & 1)]! - 16);
        const [blueness, redness] = [data[pair + u]! - 128, data[pair + v]! - 128];
        rgb[to] = bright + 1.596027 * redness;
        rgb[to + 1] = bright - 0.391762 * blueness - 0.812968 * redness;
        rgb[to + 2] = bright + 2.017232 * blueness;
      }
    }
    return new Uint8Array(rgb.buffer);
  },
});

const bayer = (pattern: Pattern): Encoding => ({ bytes: 1, toRgb: (raw) => demosaic(raw, pattern) });

const uyvy = yuv(1, 0, 2);
const yuyv = yuv(0, 1, 3);

/** As ROS (sensor_msgs/image_encodings.hpp) and Foxglove name them; 8UC3 is what OpenCV keeps, blue first. */
const encodings: Readonly<Record<string, Encoding>> = {
  rgb8: channels(3, [0, 1, 2]),
  bgr8: channels(3, [2, 1, 0]),
  "8UC3": channels(3, [2, 1, 0]),
  rgba8: channels(4, [0, 1, 2]),
  bgra8: channels(4, [2, 1, 0]),
  "8UC4": channels(4, [2, 1, 0]),
  mono8: channels(1, [0, 0, 0]),
  "8UC1": channels(1, [0, 0, 0]),
  mono16,
  yuv422: uyvy,
  uyvy,
  yuv422_yuy2: yuyv,
  yuyv,
  bayer_rggb8: bayer("rggb"),
  bayer_bggr8: bayer("bggr"),
  bayer_gbrg8: bayer("gbrg"),
  bayer_grbg8: bayer("grbg"),
};

/** Pixels of a camera as red, green and blue. Throws a RangeError that says which rule does not hold. */
export function rgbOf(raw: RawPixels, most = MOST_PIXELS): RgbImage {
  const { width, height, step, data } = raw;
  const encoding = Object.hasOwn(encodings, raw.encoding) ? encodings[raw.encoding] : undefined;
  if (encoding === undefined) {
    throw new RangeError(`its encoding is "${raw.encoding}"; known are ${Object.keys(encodings).join(", ")}`);
  }
  if (width === 0 || height === 0) throw new RangeError(`it is ${width} x ${height} pixels`);
  const size = tooLarge(raw, most);
  if (size !== null) throw new RangeError(`it is ${size}`);
  if ((encoding === uyvy || encoding === yuyv) && width % 2 !== 0) {
    throw new RangeError(`it is ${width} pixels wide; ${raw.encoding} has pairs of them`);
  }
  const least = width * encoding.bytes;
  if (step < least) throw new RangeError(`its step is ${step}; ${width} pixels of ${raw.encoding} take ${least} bytes`);
  if (data.length < step * height) {
    throw new RangeError(`it has ${data.length} bytes; a step of ${step} and ${height} rows make ${step * height}`);
  }
  return { width, height, rgb: encoding.toRgb(raw) };
}

/** Colours of the first two pixels of the first two rows of a sensor. */
type Pattern = "rggb" | "bggr" | "gbrg" | "grbg";

/**
 * The three colours of every pixel of a sensor that measured one of them: its own, and the mean of the nearest neighbours that measured
 * the other two (bilinear). At the border, the neighbours that there are.
 */
function demosaic({ width, height, step, data }: RawPixels, pattern: Pattern): Uint8Array {
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
