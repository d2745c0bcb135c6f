import { DataError } from "./dataError.js";
import { imageFormat } from "./imageFormat.js";
import { tooLarge } from "./imageLimits.js";

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits of a channel. */
  readonly depth: number;
  readonly colour: "grey" | "rgb" | "palette" | "grey-alpha" | "rgba";
  readonly interlaced: boolean;
}

/** Signature and IHDR with its CRC. */
const PNG_HEADER_BYTES = 33;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Colour type to its name and the depths the standard allows. https://www.w3.org/TR/png/#11IHDR */
const colourTypes: Partial<Record<number, { colour: PngHeader["colour"]; depths: readonly number[] }>> = {
  0: { colour: "grey", depths: [1, 2, 4, 8, 16] },
  2: { colour: "rgb", depths: [8, 16] },
  3: { colour: "palette", depths: [1, 2, 4, 8] },
  4: { colour: "grey-alpha", depths: [8, 16] },
  6: { colour: "rgba", depths: [8, 16] },
};

/** Read the first bytes of a label PNG, so that a bomb is refused before a byte of it is inflated. */
export function readPngHeader(bytes: Uint8Array, file: string): PngHeader {
  if (bytes.length === 0) throw new DataError("label-empty", file, "the file is empty", { hint: "export it again" });
  if (!SIGNATURE.every((byte, i) => bytes[i] === byte)) throw notPng(bytes, file);
  if (bytes.length < PNG_HEADER_BYTES || ascii(bytes, 12) !== "IHDR") throw damaged(file, "its header is cut off");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const [depth, type, compression, filter, interlace] = bytes.subarray(24, 29);
  const known = colourTypes[type!];
  if (
    width === 0 ||
    height === 0 ||
    known === undefined ||
    !known.depths.includes(depth!) ||
    compression !== 0 ||
    filter !== 0 ||
    interlace! > 1
  ) {
    throw damaged(file, `no PNG has size ${width} x ${height}, colour type ${type} and depth ${depth}`);
  }
  const size = tooLarge({ width, height });
  if (size !== null) {
    throw new DataError("label-too-large", file, `says it is ${size}`, {
      hint: "is this a label map? cut it into tiles",
    });
  }
  return { width, height, depth: depth!, colour: known.colour, interlaced: interlace === 1 };
}

export function damaged(file: string, what: string, cause?: unknown): DataError {
  return new DataError("label-damaged", file, `a damaged PNG: ${what}`, { hint: "export or copy it again", cause });
}

function notPng(bytes: Uint8Array, file: string): DataError {
  const format = imageFormat(bytes);
  if (format === "JPEG" || format === "WebP") return lossy(file, `a ${format}`);
  if (SIGNATURE.slice(0, bytes.length).every((byte, i) => bytes[i] === byte)) return damaged(file, "it is cut off");
  return new DataError("label-unsupported", file, `not a PNG: it starts with ${spelled(bytes.subarray(0, 8))}`, {
    hint: "save label maps as PNG",
  });
}

function lossy(file: string, what: string): DataError {
  return new DataError("label-lossy", file, `the label map is ${what}: lossy compression changes ids at every edge`, {
    hint: "export the labels as PNG from where they were made; converting this file would keep the damage",
  });
}

/** Four characters, for chunk names. */
export function ascii(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4));
}

function spelled(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
