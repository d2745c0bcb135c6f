import { inflate } from "node:zlib";
import { DataError } from "../images/dataError.js";
import { type RawPng, unfilterPng, unpackPng } from "../images/png.js";
import { damaged, type PngHeader } from "../images/pngHeader.js";
import type { ImageHeader } from "../images/readImage.js";

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

/** A check that a label map has the size of its image; with one, it is refused before it is inflated. */
export function mustFit(
  size: Pick<ImageHeader, "width" | "height" | "orientation">,
  file: string,
  image: string,
): (header: PngHeader) => void {
  return ({ width, height }) => {
    if (width === size.width && height === size.height) return;
    const turned = size.orientation > 4 && width === size.height && height === size.width;
    const transposed = width === size.height && height === size.width;
    throw new DataError(
      "label-size",
      file,
      `is ${width} x ${height}, but its image ${image} is ${size.width} x ${size.height}` +
        (turned ? ` once it is turned upright (EXIF orientation ${size.orientation})` : ""),
      {
        hint: turned
          ? "turn the labels like the image, or take the orientation tag out of the image if the labels are right"
          : transposed
            ? "one of the two is transposed: export it again"
            : "labels are never resized: export them at the size of the image",
      },
    );
  };
}
