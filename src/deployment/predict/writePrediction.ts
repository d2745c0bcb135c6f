import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { encode } from "fast-png";
import sharp from "sharp";
import { encodeLabels } from "../../data/images/labelPng.js";
import { onlyCertain, overlay } from "../../data/images/sheet.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import type { Prediction } from "../model/deployedModel.js";
import type { ModelInfo } from "../model/modelInfo.js";
import { fileOf } from "./findInputs.js";

/** What is written of each image, in a folder of its own; the ending goes behind the image's id. */
export const predictionFiles = {
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

/** The largest uncertainty there can be, which has the largest code: 1 - cosine reaches 2, 1 - probability 1. */
export const mostUncertain = (score: ModelInfo["score"]): number => (score === "cosine" ? 2 : 1);

/** Uncertainty as 16-bit codes, evenly: uncertainty = code * mostUncertain / 65535. */
export function uncertaintyCodes(similarity: Float32Array, score: ModelInfo["score"]): Uint16Array {
  const factor = MOST_CODE / mostUncertain(score);
  return Uint16Array.from(similarity, (s) => Math.min(MOST_CODE, Math.max(0, Math.round((1 - s) * factor))));
}

/** Write all there is to know about one image; each file whole or not at all. */
export async function writePrediction(
  folder: string,
  id: string,
  { rgb }: RgbImage,
  { width, height, predicted, similarity, certain }: Prediction,
  { classes, score }: ModelInfo,
): Promise<void> {
  const painted = overlay(
    rgb,
    predicted,
    classes.map(({ colour }) => colour),
  );
  const jpeg = (pixels: Uint8Array): Promise<Buffer> =>
    sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90 })
      .toBuffer();
  const codes = uncertaintyCodes(similarity, score);
  const contents: Record<keyof typeof predictionFiles, Uint8Array> = {
    class: encodeLabels({ width, height, labels: predicted }),
    uncertainty: encode({ width, height, data: codes, channels: 1, depth: 16 }),
    overlay: await jpeg(painted),
    certain: await jpeg(onlyCertain(painted, certain)),
  };
  for (const kind of Object.keys(predictionFiles) as (keyof typeof predictionFiles)[]) {
    const file = fileOf(join(folder, kind), id, predictionFiles[kind]);
    await mkdir(dirname(file), { recursive: true });
    await writeAtomically(file, contents[kind]);
  }
}
