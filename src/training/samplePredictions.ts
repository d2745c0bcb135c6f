import sharp, { type Sharp } from "sharp";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import { onlyCertain, overlay, Sheet } from "../data/images/sheet.js";
import type { RgbImage } from "../data/images/tensors.js";
import { readUnlabelled } from "../data/loader/readScaled.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import type { InferenceNetwork } from "../runs/inferenceNetwork.js";
import { BranchPredictor } from "./branchPredictor.js";
import type { TrainingData } from "./stage.js";
import type { BoardImage } from "./tensorBoard.js";

/** Images of each data set that are looked at again and again. */
const IMAGES = 3;

/** Source images that prototypes are made of: fewer than for a validation, which is measured. */
const PROTOTYPE_IMAGES = 20;

/** What is predicted for an image, as tiles side by side. */
export interface SamplePrediction extends RgbImage {
  /** "target/<id>" or "source/<id>" */
  readonly name: string;
}

/**
 * What a network in training predicts for a few fixed images: of each target, or of the source where there is none. Each is one
 * image of tiles side by side: the image, its segmentation, and the segmentation black where it is not certain, once there is a γ.
 */
export async function samplePredictions(
  runtime: Runtime,
  network: InferenceNetwork,
  { data, gamma }: { readonly data: TrainingData; readonly gamma: number | undefined },
): Promise<SamplePrediction[]> {
  const { source, targets } = data;
  const branches = await BranchPredictor.open(runtime, network, { source, images: PROTOTYPE_IMAGES });
  const colours = source.labelling!.classes.classes.map(({ colour }) => colour);
  const shown = targets.length === 0 ? [["source", source] as const] : targets.map((set) => ["target", set] as const);
  const samples: SamplePrediction[] = [];
  for (const [role, dataset] of shown) {
    for (const item of evenlySpread(dataset.items, IMAGES)) {
      const image = await readUnlabelled(dataset, item, network.config.view.height);
      const { predicted, uncertainty } = (await branches.predict(image))[branches.names[0]!]!;
      const painted = overlay(image.rgb, predicted, colours);
      const certain = gamma === undefined ? [] : [Uint8Array.from(uncertainty, (u) => (1 - u >= gamma ? 1 : 0))];
      const tiles = [image.rgb, painted, ...certain.map((mask) => onlyCertain(painted, mask))];
      samples.push({ name: `${role}/${item.id}`, ...sideBySide(tiles, image) });
    }
  }
  await branches.close();
  return samples;
}

function sideBySide(tiles: readonly Uint8Array[], tile: { readonly width: number; readonly height: number }): RgbImage {
  const sheet = new Sheet(tiles.length, 1, tile);
  for (const [column, rgb] of tiles.entries()) sheet.paste(rgb, column, 0);
  const { width, height, rgb } = sheet;
  return { width, height, rgb };
}

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
