import sharp from "sharp";
import { UserError } from "../../platform/errors.js";
import { DataError } from "./dataError.js";
import { tooLarge } from "./imageLimits.js";
import type { RgbImage } from "./tensors.js";

// Our images are too small to share between threads: several at once on one thread each is faster.
sharp.concurrency(1);

/**
 * An image at a height, keeping its shape: filtered with a triangle as wide as the pixels of the result (libvips "linear", Pillow's
 * BILINEAR), so that shrunk images do not shimmer. `file` is for messages.
 */
export async function scaledTo(image: RgbImage, height: number, file: string): Promise<RgbImage> {
  if (image.height === height) return image;
  const width = Math.max(1, Math.round((image.width * height) / image.height));
  const size = tooLarge({ width, height });
  if (size !== null) {
    throw new DataError(
      "image-too-large",
      file,
      `is ${image.width} x ${image.height}: at a height of ${height} it would be ${size}`,
      { hint: "cut it into tiles of a usual shape" },
    );
  }
  return { width, height, rgb: await scaledImage(image, file, { width, height }) };
}

interface Extent {
  readonly width: number;
  readonly height: number;
}

async function scaledImage(image: RgbImage, file: string, { width, height }: Extent): Promise<Uint8Array> {
  const raw = { width: image.width, height: image.height, channels: 3 } as const;
  try {
    const data = await sharp(image.rgb, { raw })
      .resize(width, height, { fit: "fill", kernel: "linear" })
      .raw()
      .toBuffer();
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  } catch (cause) {
    throw new UserError(
      `cannot scale ${file} to ${width} x ${height}: ${cause instanceof Error ? cause.message : cause}`,
      {
        hint: "is there memory left?",
        cause,
      },
    );
  }
}
