import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decode, encode } from "fast-png";
import sharp from "sharp";
import { decodeLabels, encodeLabels } from "../../data/images/labelPng.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
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
  return Uint16Array.from(uncertainty, (value) => {
    const k = firstAtLeast(levels, value);
    if (k === levels.length) return BEYOND;
    if (k === 0) return 0;
    const [below, above] = [levels[k - 1]!, levels[k]!];
    // The lowest level may be the lowest number there is; a difference of halves does not overflow.
    const part = (value / 2 - below / 2) / (above / 2 - below / 2);
    return (k - 1) * STEPS + Math.min(STEPS, Math.max(1, Math.ceil(part * STEPS)));
  });
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

/** Write `<file>.image.jpg`, `.labels.png`, `.predicted.png` and `.uncertainty.png` into a folder that exists. */
export async function writeExample(
  folder: string,
  file: string,
  { width, height, rgb, labels, predicted, uncertainty }: Example,
  levels: readonly number[],
): Promise<void> {
  const path = (kind: string): string => join(folder, `${file}.${kind}`);
  if (rgb !== null) {
    const image = sharp(rgb, { raw: { width, height, channels: 3 } });
    await writeAtomically(path("image.jpg"), await image.jpeg({ quality: 90, chromaSubsampling: "4:4:4" }).toBuffer());
  }
  await writeAtomically(path("labels.png"), encodeLabels({ width, height, labels }));
  await writeAtomically(path("predicted.png"), encodeLabels({ width, height, labels: predicted }));
  const codes = encodeUncertainty(uncertainty, levels);
  await writeAtomically(path("uncertainty.png"), encode({ width, height, data: codes, channels: 1, depth: 16 }));
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

export async function readExample(folder: string, entry: ResultFile["examples"][number]): Promise<StoredExample> {
  const { id, file, width, height } = entry;
  const read = async <T>(kind: string, open: (bytes: Uint8Array) => T): Promise<T> => {
    const path = join(folder, `${file}.${kind}`);
    try {
      return open(await readFile(path));
    } catch (cause) {
      throw new UserError(`${path}: ${cause instanceof Error ? cause.message : cause}`, {
        hint: "evaluate again to write it anew",
        cause,
      });
    }
  };
  const right = <T extends { readonly width: number; readonly height: number }>(map: T): T => {
    if (map.width !== width || map.height !== height) {
      throw new UserError(`is ${map.width} x ${map.height}, the result file says ${width} x ${height}`);
    }
    return map;
  };
  return {
    id,
    width,
    height,
    jpeg: entry.image ? await read("image.jpg", (bytes) => bytes) : null,
    labels: await read("labels.png", (bytes) => right(decodeLabels(bytes)).labels),
    predicted: await read("predicted.png", (bytes) => right(decodeLabels(bytes)).labels),
    codes: await read("uncertainty.png", (bytes) => {
      const { data, depth } = right(decode(bytes));
      if (!(data instanceof Uint16Array)) throw new UserError(`has ${depth} bits, wanted 16`);
      return data;
    }),
  };
}
