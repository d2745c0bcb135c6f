import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { encode } from "fast-png";
import sharp from "sharp";
import { encodeLabels } from "../../data/images/labelPng.js";
import { onlyCertain, overlay } from "../../data/images/sheet.js";
import type { Picture } from "../../data/images/tensors.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import type { Frame } from "../model/deployedModel.js";
import type { ModelInfo } from "../model/modelInfo.js";
import { fileOf } from "./frameInputs.js";

/** What is written of each frame, in a folder of its own; the ending goes behind the frame's id. */
export const frameFiles = {
  /** 8-bit grey: the class. */
  class: ".png",
  /** 16-bit grey: how unsure. */
  uncertainty: ".png",
  /** For people: the picture in the colours of its classes. */
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

/** Write all there is to know about one frame; each file whole or not at all. */
export async function writeFrame(
  folder: string,
  id: string,
  { rgb }: Picture,
  { width, height, predicted, similarity, certain }: Frame,
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
  const contents: Record<keyof typeof frameFiles, Uint8Array> = {
    class: encodeLabels({ width, height, labels: predicted }),
    uncertainty: encode({ width, height, data: codes, channels: 1, depth: 16 }),
    overlay: await jpeg(painted),
    certain: await jpeg(onlyCertain(painted, certain)),
  };
  for (const kind of Object.keys(frameFiles) as (keyof typeof frameFiles)[]) {
    const file = fileOf(join(folder, kind), id, frameFiles[kind]);
    await mkdir(dirname(file), { recursive: true });
    await writeAtomically(file, contents[kind]);
  }
}
