import { dirname, join } from "node:path";
import { encode } from "fast-png";
import sharp from "sharp";
import { encodeLabels } from "../../data/images/labelPng.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { mostUncertain } from "../../methods/gamma-ssl/score.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { makeFolder } from "../../platform/files.js";
import type { Prediction } from "../model/deployedModel.js";
import type { ModelInfo } from "../model/modelInfo.js";
import { fileOf } from "./findInputs.js";

/** What is written of each image, in a folder of its own; the ending goes behind the image's id. */
const predictionFiles = {
  /** 8-bit grey: the class. */
  class: ".png",
  /** 16-bit grey: how unsure. */
  uncertainty: ".png",
  /** For people: the image in the colours of its classes. */
  overlay: ".jpg",
  /** For people: the same, black where it is not certain. */
  certain: ".jpg",
} as const;

const MOST_CODE = 65_535;

/** Uncertainty as 16-bit codes, evenly: uncertainty = code * mostUncertain / 65535. */
export function uncertaintyCodes(similarity: Float32Array, score: ModelInfo["score"]): Uint16Array {
  const factor = MOST_CODE / mostUncertain(score);
  const codes = new Uint16Array(similarity.length);
  for (let i = 0; i < codes.length; i++) {
    codes[i] = Math.min(MOST_CODE, Math.max(0, Math.round((1 - similarity[i]!) * factor)));
  }
  return codes;
}

/** Write what programs read. Each file is whole or not there. */
export async function writeMaps(
  folder: string,
  id: string,
  { width, height, predicted, similarity }: Prediction,
  score: ModelInfo["score"],
): Promise<void> {
  await writeKind(folder, id, "class", encodeLabels({ width, height, labels: predicted }));
  const data = uncertaintyCodes(similarity, score);
  await writeKind(folder, id, "uncertainty", encode({ width, height, data, channels: 1, depth: 16 }));
}

/** Write what people look at. */
export const writeView = async (
  folder: string,
  id: string,
  kind: "overlay" | "certain",
  view: RgbImage,
): Promise<void> => writeKind(folder, id, kind, await jpegOf(view));

const writeKind = (folder: string, id: string, kind: keyof typeof predictionFiles, bytes: Uint8Array): Promise<void> =>
  writeBelow(fileOf(join(folder, kind), id, predictionFiles[kind]), bytes);

/** Images in the gallery are at most this wide. */
const GALLERY_WIDTH = 640;

/** A panel of the gallery: `gallery/<panel>/<id>.jpg`. */
export const writePanel = async (
  folder: string,
  id: string,
  panel: "image" | "segmentation" | "uncertainty" | "certain",
  view: RgbImage,
): Promise<void> => writeBelow(fileOf(join(folder, "gallery", panel), id, ".jpg"), await jpegOf(view, GALLERY_WIDTH));

export const jpegOf = ({ rgb, width, height }: RgbImage, widest = width): Promise<Buffer> =>
  sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize({ width: Math.min(width, widest) })
    .jpeg({ quality: 90 })
    .toBuffer();

async function writeBelow(file: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(dirname(file));
  await writeAtomically(file, bytes);
}
