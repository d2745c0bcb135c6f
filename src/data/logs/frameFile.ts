import sharp from "sharp";
import type { ImageMessage } from "./imageMessage.js";
import { rgbOf } from "./rawPixels.js";

/** The image of a message as a file. */
export interface FrameFile {
  readonly ending: string;
  readonly bytes: Uint8Array;
}

/** How files of the formats begin that messages hold. */
const kinds: readonly (readonly [ending: string, head: RegExp])[] = [
  [".jpg", /^\xff\xd8\xff/],
  [".png", /^\x89PNG\r\n/],
  [".webp", /^RIFF.{4}WEBP/s],
];

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
  const head = Buffer.from(data.subarray(0, 12)).toString("latin1");
  const kind = kinds.find(([, begins]) => begins.test(head));
  if (kind !== undefined) return kind[0];
  throw new RangeError(
    `its ${data.length} bytes (format "${format}") are no JPEG, PNG or WebP; video and depth streams are not read`,
  );
}
