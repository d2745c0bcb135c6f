import sharp, { type Metadata } from "sharp";
import { DataError } from "./dataError.js";
import { hasEndlessExif } from "./exif.js";
import { imageFormat, kindOf } from "./imageFormat.js";
import { MOST_PIXELS, tooLarge } from "./imageLimits.js";
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

// Of all decoders that libvips has only these are left: no bytes of a stranger reach another, whatever they look like to it.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif"].map((name) => `VipsForeignLoad${name}`),
});
// No image is decoded twice in a row: what libvips would keep for that is the memory of a second large image.
sharp.cache(false);

/** Upright, sRGB, three bytes a pixel: whatever the file was (CMYK, grey, 16 bits, a wide gamut, several frames). */
export async function readImage(file: string, most = MOST_PIXELS): Promise<RgbImage> {
  return (await decodeImage(await readBytes(file, "image"), file, most)).image;
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
    const { data, info } = await open(bytes, most)
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

/** Rejects oversized, unsupported and empty files before a pixel is decoded. */
async function imageHeader(bytes: Uint8Array, file: string, most = MOST_PIXELS): Promise<ImageHeader> {
  if (bytes.length === 0) throw new DataError("image-empty", file, "the file is empty", { hint: "copy it again" });
  if (imageFormat(bytes) === null) throw unsupported(file, kindOf(bytes));
  if (hasEndlessExif(bytes)) {
    throw new DataError("image-damaged", file, "has EXIF data that leads to itself, or has no end", {
      hint: "remove it, e.g. with exiftool -all=",
    });
  }
  let metadata: Metadata;
  try {
    // Sides are compared below, with a message that says them.
    metadata = await open(bytes, Number.MAX_SAFE_INTEGER).metadata();
  } catch (cause) {
    throw damagedImage(bytes, file, cause);
  }
  const { autoOrient, orientation, pages, hasAlpha, compression, format, channels } = metadata;
  const size = tooLarge(metadata, most);
  if (size !== null) {
    throw new DataError("image-too-large", file, `is ${size}`, { hint: "scale it down, or cut it into tiles" });
  }
  if (format === "heif" && compression !== "av1") throw unsupported(file, "HEIC");
  if (channels > MOST_CHANNELS) throw unsupported(file, `of ${channels} channels`);
  return {
    width: autoOrient.width,
    height: autoOrient.height,
    orientation: orientation ?? 1,
    frames: pages ?? 1,
    transparent: hasAlpha && format !== "gif",
  };
}

/** Cyan, magenta, yellow, black and transparency. */
const MOST_CHANNELS = 5;

function open(bytes: Uint8Array, most = MOST_PIXELS) {
  return sharp(bytes, { limitInputPixels: most, failOn: "warning", sequentialRead: true });
}

function unsupported(file: string, kind: string): DataError {
  return new DataError("image-unsupported", file, `is ${kind}, not an image that can be read`, {
    hint: "save it as PNG, JPEG or WebP",
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
