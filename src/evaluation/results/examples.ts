import { join } from "node:path";
import { decode, encode } from "fast-png";
import sharp from "sharp";
import { MOST_PIXELS } from "../../data/images/imageLimits.js";
import { decodeLabels, encodeLabels } from "../../data/images/labelPng.js";
import { readPngHeader } from "../../data/images/pngHeader.js";
import { UserError } from "../../platform/errors.js";
import { readRegularFile } from "../../platform/files.js";
import type { ResultFile } from "./resultFile.js";

/** One image with what was predicted on it, for people to look at. */
export interface Example {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Bytes, height x width x 3; null where the image itself is not at hand. */
  readonly rgb: Uint8Array | null;
  /** Places in the class list, 254 unknown, 255 void. */
  readonly labels: Uint8Array;
  readonly predicted: Uint8Array;
  readonly uncertainty: Float32Array;
}

/** Finer steps between two levels, so that 256 levels and the steps between them fill 16 bits. */
const STEPS = 256;
/** Above every level: larger than any scored uncertainty, or not a number. Only pixels that are not scored have it. */
const BEYOND = 65535;

/**
 * Uncertainty as 16-bit codes that keep the order exactly at the levels: code ≤ 256·k just where uncertainty ≤ levels[k].
 * Between two levels codes run evenly, so that each of the 65,281 codes stands for about as many pixels, whatever the scores.
 */
export function encodeUncertainty(uncertainty: Float32Array, levels: readonly number[]): Uint16Array {
  const codes = new Uint16Array(uncertainty.length);
  for (let i = 0; i < codes.length; i++) codes[i] = codeOf(uncertainty[i]!, levels);
  return codes;
}

function codeOf(value: number, levels: readonly number[]): number {
  const k = firstAtLeast(levels, value);
  if (k === levels.length) return BEYOND;
  if (k === 0) return 0;
  const below = levels[k - 1]! / 2;
  // The lowest level may be the lowest number there is; a difference of halves does not overflow.
  const part = (value / 2 - below) / (levels[k]! / 2 - below);
  return (k - 1) * STEPS + Math.min(STEPS, Math.max(1, Math.ceil(part * STEPS)));
}

/** The level from which on a pixel of this code is certain. */
export const levelOfCode = (code: number): number => Math.ceil(code / STEPS);

/** Index of the first level that is at least `value`; their number when none is, as for NaN. */
function firstAtLeast(levels: readonly number[], value: number): number {
  let from = 0;
  let to = levels.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (value <= levels[middle]!) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The files of an example, by the ends of their names. */
export async function exampleFiles(
  { width, height, rgb, labels, predicted, uncertainty }: Example,
  levels: readonly number[],
): Promise<Record<string, Uint8Array>> {
  const jpeg = async (pixels: Uint8Array): Promise<Uint8Array> =>
    sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90, chromaSubsampling: "4:4:4" })
      .toBuffer();
  const codes = encodeUncertainty(uncertainty, levels);
  return {
    ...(rgb !== null && { "image.jpg": await jpeg(rgb) }),
    "labels.png": encodeLabels({ width, height, labels }),
    "predicted.png": encodeLabels({ width, height, labels: predicted }),
    "uncertainty.png": encode({ width, height, data: codes, channels: 1, depth: 16 }),
  };
}

/** An example read back; uncertainty as codes (see `encodeUncertainty`), the image still as JPEG. */
export interface StoredExample {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly jpeg: Uint8Array | null;
  readonly labels: Uint8Array;
  readonly predicted: Uint8Array;
  readonly codes: Uint16Array;
}

/** Headers are looked at before a pixel is decoded: a small file may claim to be a large image. */
export async function readExample(
  folder: string,
  { id, file, width, height, image }: ResultFile["examples"][number],
): Promise<StoredExample> {
  const read = async <T>(kind: string, open: (bytes: Uint8Array) => T): Promise<T> => {
    const path = join(folder, `${file}.${kind}`);
    try {
      const bytes = await readRegularFile(path);
      if (kind.endsWith(".png")) requireSize(readPngHeader(bytes, path));
      return open(bytes);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new UserError(why.startsWith(path) ? why : `${path}: ${why}`, {
        hint: "evaluate again to write it anew",
        cause,
      });
    }
  };
  const requireSize = (map: { readonly width: number; readonly height: number }): void => {
    if (map.width !== width || map.height !== height) {
      throw new UserError(`is ${map.width} x ${map.height}, the result file says ${width} x ${height}`);
    }
    if (width * height > MOST_PIXELS) {
      throw new UserError(`is ${width} x ${height}, more than ${MOST_PIXELS} pixels`);
    }
  };
  return {
    id,
    width,
    height,
    jpeg: image ? await read("image.jpg", (bytes) => bytes) : null,
    labels: await read("labels.png", (bytes) => decodeLabels(bytes).labels),
    predicted: await read("predicted.png", (bytes) => decodeLabels(bytes).labels),
    codes: await read("uncertainty.png", (bytes) => {
      const { data, depth } = decode(bytes, { checkCrc: true });
      if (!(data instanceof Uint16Array)) throw new UserError(`has ${depth} bits, wanted 16`);
      return data;
    }),
  };
}
