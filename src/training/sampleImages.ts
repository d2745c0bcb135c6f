import sharp, { type Sharp } from "sharp";
import type { RgbImage } from "../data/images/tensors.js";
import type { SamplePrediction } from "./samplePredictions.js";
import type { BoardImage } from "./tensorBoard.js";

/** Pixels: as wide as a page shows it. */
const WIDEST_SHEET = 960;

/** Sample predictions for TensorBoard, by name. */
export async function boardImages(samples: readonly SamplePrediction[]): Promise<Record<string, BoardImage>> {
  const images: Record<string, BoardImage> = {};
  for (const sample of samples) {
    const { name, width, height } = sample;
    images[name] = { width, height, bytes: await jpeg(pixels(sample)) };
  }
  return images;
}

/** Sample predictions below each other, as one small JPEG. */
export async function sampleSheet(samples: readonly SamplePrediction[]): Promise<Uint8Array> {
  const width = Math.min(WIDEST_SHEET, Math.max(...samples.map((sample) => sample.width)));
  const rows = [];
  for (const sample of samples) {
    rows.push(await pixels(sample).resize({ width }).raw().toBuffer({ resolveWithObject: true }));
  }
  const height = rows.reduce((sum, { info }) => sum + info.height, 0);
  return jpeg(pixels({ width, height, rgb: Buffer.concat(rows.map(({ data }) => data)) }));
}

const pixels = ({ rgb, width, height }: RgbImage): Sharp => sharp(rgb, { raw: { width, height, channels: 3 } });

const jpeg = (image: Sharp): Promise<Uint8Array> => image.jpeg({ quality: 85 }).toBuffer();
