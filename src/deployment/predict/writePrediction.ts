import { dirname, join } from "node:path";
import { encode } from "fast-png";
import sharp from "sharp";
import { encodeLabels } from "../../data/images/labelPng.js";
import { mostUncertain } from "../../methods/gamma-ssl/score.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { makeFolder } from "../../platform/files.js";
import type { Prediction } from "../model/deployedModel.js";
import type { ModelInfo } from "../model/modelInfo.js";
import { fileOf } from "./findInputs.js";
import type { Painted } from "./paintPrediction.js";

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
  return Uint16Array.from(similarity, (s) => Math.min(MOST_CODE, Math.max(0, Math.round((1 - s) * factor))));
}

/** Write all there is to know about one image; each file whole or not at all. */
export async function writePrediction(
  folder: string,
  id: string,
  { width, height, predicted, similarity }: Prediction,
  painted: Painted,
  score: ModelInfo["score"],
): Promise<void> {
  const codes = uncertaintyCodes(similarity, score);
  const contents: Record<keyof typeof predictionFiles, Uint8Array> = {
    class: encodeLabels({ width, height, labels: predicted }),
    uncertainty: encode({ width, height, data: codes, channels: 1, depth: 16 }),
    overlay: await jpegOf(painted.segmentation, { width, height }),
    certain: await jpegOf(painted.certain, { width, height }),
  };
  for (const kind of Object.keys(predictionFiles) as (keyof typeof predictionFiles)[]) {
    await writeBelow(fileOf(join(folder, kind), id, predictionFiles[kind]), contents[kind]);
  }
}

/** Images in the gallery are at most this wide. */
const GALLERY_WIDTH = 640;

/** The panels of the gallery: `gallery/<panel>/<id>.jpg`. */
export async function writePanels(
  folder: string,
  id: string,
  painted: Painted,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  for (const panel of Object.keys(painted) as (keyof Painted)[]) {
    const jpeg = await jpegOf(painted[panel], size, GALLERY_WIDTH);
    await writeBelow(fileOf(join(folder, "gallery", panel), id, ".jpg"), jpeg);
  }
}

export const jpegOf = (
  rgb: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
  widest = width,
): Promise<Buffer> =>
  sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize({ width: Math.min(width, widest) })
    .jpeg({ quality: 90 })
    .toBuffer();

async function writeBelow(file: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(dirname(file));
  await writeAtomically(file, bytes);
}
