import sharp from "sharp";
import { UserError } from "../../platform/errors.js";
import type { Dataset, Item } from "../datasets/dataset.js";
import { readSample } from "../datasets/readSample.js";
import { nearestMap } from "../images/scale.js";
import type { RgbImage } from "../images/tensors.js";
import type { ScaledImage } from "./imageCache.js";

// Our images are too small to share between threads: several at once on one thread each is faster.
sharp.concurrency(1);

/**
 * Read an image and scale it to a height, keeping its shape.
 *
 * Images are filtered with a triangle as wide as the pixels of the result (libvips "linear", Pillow's BILINEAR): shrunk
 * images do not shimmer. Labels take the nearest pixel.
 */
export async function readScaled(dataset: Dataset, item: Item, height: number): Promise<ScaledImage> {
  const sample = await readSample(dataset, item);
  if (sample.height === height) return sample;
  const scaled = await scaledTo(sample, height, item.image);
  return { ...scaled, labels: sample.labels === null ? null : nearestMap(sample.labels, sample, scaled) };
}

/** An image at a height. Labels are not opened, whatever lies beside it (T-11). */
export const readUnlabelled = (dataset: Dataset, item: Item, height: number): Promise<RgbImage> =>
  readScaled({ ...dataset, labelling: null }, { ...item, labels: null }, height);

/** An image at a height, keeping its shape. `file` is for messages. */
export async function scaledTo(image: RgbImage, height: number, file: string): Promise<RgbImage> {
  if (image.height === height) return image;
  const width = Math.max(1, Math.round((image.width * height) / image.height));
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
