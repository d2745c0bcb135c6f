import sharp, { type Metadata } from "sharp";
import { DataError } from "./dataError.js";
import { hasEndlessExif } from "./exif.js";
import { MOST_PIXELS } from "./pngHeader.js";
import { readBytes } from "./readBytes.js";
import type { RgbImage } from "./tensors.js";

/** What the header of an image says, once it is upright. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** EXIF orientation, 1 when upright. */
  readonly orientation: number;
  readonly frames: number;
  readonly transparent: boolean;
}

const FORMATS = new Set(["jpeg", "png", "webp", "gif", "tiff", "heif"]);
const CONVERT = "save it as PNG, JPEG or WebP";

/** Upright, sRGB, three bytes a pixel: whatever the file was (CMYK, grey, 16 bits, a wide gamut, several frames). */
export async function readImage(file: string): Promise<RgbImage> {
  return (await decodeImage(await readBytes(file, "image"), file)).image;
}

/** The same from bytes that were read already, with what its header says. Nothing of more than `most` pixels is decoded. */
export async function decodeImage(
  bytes: Uint8Array,
  file: string,
  most = MOST_PIXELS,
): Promise<{ image: RgbImage; header: ImageHeader }> {
  const header = await imageHeader(bytes, file, most);
  try {
    // Into sRGB first, by the embedded profile if there is one: converted last, CMYK loses its blacks. Transparency is
    // dropped, not mixed with black.
    const { data, info } = await open(bytes)
      .pipelineColourspace("srgb")
      .autoOrient()
      .toColourspace("srgb")
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const rgb = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return { image: { width: info.width, height: info.height, rgb }, header };
  } catch (cause) {
    throw damagedImage(bytes, file, cause);
  }
}

/** Images of more pixels are tried at an eighth of their size, which JPEG can decode to directly. */
const LARGE = 2_000_000;

/** Decode all of an image but keep nothing, as fast as that goes. A file that is cut off fails either way. */
export async function tryImage(bytes: Uint8Array, file: string): Promise<ImageHeader> {
  const header = await imageHeader(bytes, file);
  const image = open(bytes);
  if (header.width * header.height > LARGE) image.resize({ width: Math.ceil(header.width / 8), kernel: "nearest" });
  try {
    await image.raw().toBuffer();
  } catch (cause) {
    throw damagedImage(bytes, file, cause);
  }
  return header;
}

/** Refuses bombs, strangers and empty files before a pixel is decoded. */
async function imageHeader(bytes: Uint8Array, file: string, most = MOST_PIXELS): Promise<ImageHeader> {
  if (bytes.length === 0) throw new DataError("image-empty", file, "the file is empty", { hint: "copy it again" });
  if (hasEndlessExif(bytes)) {
    throw new DataError("image-damaged", file, "has EXIF data that leads to itself, or has no end", {
      hint: "remove it, e.g. with exiftool -all=",
    });
  }
  let metadata: Metadata;
  try {
    metadata = await open(bytes).metadata();
  } catch (cause) {
    throw refusal(bytes, file, cause);
  }
  if (metadata.width * metadata.height > most) throw tooLarge(file, most);
  const { format, autoOrient, orientation, pages, hasAlpha, compression } = metadata;
  if (!FORMATS.has(format) || (format === "heif" && compression !== "av1")) throw unsupported(file, format);
  return {
    width: autoOrient.width,
    height: autoOrient.height,
    orientation: orientation ?? 1,
    frames: pages ?? 1,
    transparent: hasAlpha && format !== "gif",
  };
}

function open(bytes: Uint8Array) {
  return sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "warning", sequentialRead: true });
}

function refusal(bytes: Uint8Array, file: string, cause: unknown): DataError {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (message.includes("exceeds pixel limit")) return tooLarge(file, MOST_PIXELS, cause);
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (/^.{4}ftyp(hei|hev|mif1|msf1)/s.test(head)) return unsupported(file, "HEIC", cause);
  if (message.includes("unsupported image format")) {
    return /^(\xff\xd8|\x89PNG|RIFF|GIF8)/.test(head)
      ? damagedImage(bytes, file, cause)
      : unsupported(file, kindOf(bytes), cause);
  }
  return damagedImage(bytes, file, cause);
}

function tooLarge(file: string, most: number, cause?: unknown): DataError {
  return new DataError("image-too-large", file, `has more than ${most} pixels`, {
    hint: "scale it down, or cut it into tiles",
    cause,
  });
}

function kindOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x42 && bytes[1] === 0x4d) return "BMP";
  const readable = bytes
    .subarray(0, 64)
    .every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127));
  return readable ? "text" : "of an unknown kind";
}

function unsupported(file: string, kind: string, cause?: unknown): DataError {
  return new DataError("image-unsupported", file, `is ${kind}, not an image that can be read`, {
    hint: CONVERT,
    cause,
  });
}

function damagedImage(bytes: Uint8Array, file: string, cause: unknown): DataError {
  const message = (cause instanceof Error ? cause.message : String(cause)).split("\n")[0]!;
  const why = isCutOff(bytes) ? "it is cut off" : message.includes("failOn") ? "its pixels are damaged" : message;
  return new DataError("image-damaged", file, `does not decode: ${why}`, { hint: "copy or export it again", cause });
}

/** A JPEG or PNG without the mark that every one ends with. */
function isCutOff(bytes: Uint8Array): boolean {
  const end = Buffer.from(bytes.subarray(-64)).toString("latin1");
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return !end.includes("\xff\xd9");
  return bytes[0] === 0x89 && bytes[1] === 0x50 && !end.includes("IEND");
}
