import { inflate } from "node:zlib";
import { DataError } from "../images/dataError.js";
import type { LabelMap } from "../images/labelPng.js";
import { type RawPng, unfilterPng, unpackPng } from "../images/png.js";
import { damaged, type PngHeader } from "../images/pngHeader.js";
import { applyRule } from "../labels/applyRule.js";
import type { LabelRule } from "../labels/labelSpace.js";
import { readBytes } from "./readBytes.js";

/** Read a label PNG of anybody's and say what each pixel means. */
export async function readLabels(file: string, rule: LabelRule): Promise<LabelMap> {
  return applyRule(await readRawLabels(await readBytes(file, "label"), file), rule, file);
}

/** The values of a label PNG. `fits` is asked before anything is inflated; inflating happens on another thread. */
export async function readRawLabels(
  bytes: Uint8Array,
  file: string,
  fits?: (header: PngHeader) => void,
): Promise<RawPng> {
  const packed = unpackPng(bytes, file);
  fits?.(packed.header);
  const lines = await new Promise<Uint8Array>((resolve, reject) => {
    inflate(
      packed.idat,
      { maxOutputLength: packed.inflatedBytes, chunkSize: chunkFor(packed.inflatedBytes) },
      (error, out) => (error === null ? resolve(out) : reject(damaged(file, "its pixels do not inflate", error))),
    );
  });
  return unfilterPng(packed, lines, file);
}

/** One piece for all of it, within reason: fewer copies. */
function chunkFor(bytes: number): number {
  return Math.min(Math.max(bytes, 16 * 1024), 16 * 1024 * 1024);
}

/** A check that a label map has the size of its photo; with one, it is refused before it is inflated. */
export function mustFit(
  photo: { readonly width: number; readonly height: number; readonly orientation: number },
  file: string,
  image: string,
): (header: PngHeader) => void {
  return ({ width, height }) => {
    if (width === photo.width && height === photo.height) return;
    const turned = photo.orientation > 4 && width === photo.height && height === photo.width;
    const transposed = width === photo.height && height === photo.width;
    throw new DataError(
      "label-size",
      file,
      `is ${width} x ${height}, but its photo ${image} is ${photo.width} x ${photo.height}` +
        (turned ? ` once it is turned upright (EXIF orientation ${photo.orientation})` : ""),
      {
        hint: turned
          ? "turn the labels like the photo, or take the orientation tag out of the photo if the labels are right"
          : transposed
            ? "one of the two is transposed: export it again"
            : "labels are never resized: export them at the size of the photo",
      },
    );
  };
}
