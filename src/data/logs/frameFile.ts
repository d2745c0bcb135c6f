import sharp from "sharp";
import { type ImageFormat, imageFormat } from "../images/imageFormat.js";
import type { ImageMessage } from "./imageMessage.js";
import { rgbOf } from "./rawPixels.js";

/** The image of a message as a file. */
export interface FrameFile {
  readonly ending: string;
  readonly bytes: Uint8Array;
}

/** Formats that messages hold. */
const endings: Partial<Record<ImageFormat, string>> = { JPEG: ".jpg", PNG: ".png", WebP: ".webp" };

/**
 * What a message holds as an image file, without loss: compressed images stay the bytes they are, raw ones become PNG. Throws a RangeError
 * that says which rule does not hold.
 */
export async function frameFile({ pixels }: Pick<ImageMessage, "pixels">): Promise<FrameFile> {
  if (pixels.kind === "compressed") return { ending: endingOf(pixels.data, pixels.format), bytes: pixels.data };
  const { rgb, width, height } = rgbOf(pixels);
  const png = sharp(rgb, { raw: { width, height, channels: 3 } }).png({ compressionLevel: 2 });
  return { ending: ".png", bytes: await png.toBuffer() };
}

/** By the bytes: "format" is free text in ROS ("rgb8; jpeg compressed bgr8"). */
function endingOf(data: Uint8Array, format: string): string {
  const found = imageFormat(data);
  const ending = found === null ? undefined : endings[found];
  if (ending !== undefined) return ending;
  throw new RangeError(
    `its ${data.length} bytes (format "${format}") are no JPEG, PNG or WebP; video and depth streams are not read`,
  );
}
