import sharp from "sharp";
import { classes } from "./classes.js";
import { type Rendered, render } from "./render.js";
import { type DomainName, domains } from "./spec.js";

export interface PreviewOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly seed?: number;
  readonly width?: number;
  readonly height?: number;
  /** PNG keeps every pixel, JPEG keeps pages light. */
  readonly format?: "png" | "jpeg";
}

const UNKNOWN_COLOUR = [255, 255, 255] as const;

/** A contact sheet of a domain: pictures in a grid, each with its labels laid over it beneath. Encoded image bytes. */
export async function previewSheet(
  domain: DomainName,
  { columns = 4, rows = 3, seed = 0, width = 256, height = 128, format = "png" }: PreviewOptions = {},
): Promise<Uint8Array> {
  const [wide, high] = [columns * width, rows * height * 2];
  const sheet = new Uint8Array(wide * high * 3);
  for (let index = 0; index < columns * rows; index++) {
    // A split of its own, so that a preview shows the place and not somebody's test set.
    const key = `${seed}/${domain}/preview/${index}`;
    const picture = await render(domains[domain].draw, key, { width, height }, { labelled: true });
    const left = (index % columns) * width;
    const top = Math.floor(index / columns) * height * 2;
    paste(sheet, wide, picture.rgb, { left, top, width, height });
    paste(sheet, wide, overlay(picture), { left, top: top + height, width, height });
  }
  const image = sharp(sheet, { raw: { width: wide, height: high, channels: 3 } });
  return format === "png" ? image.png({ compressionLevel: 9 }).toBuffer() : image.jpeg({ quality: 72 }).toBuffer();
}

/** Class colours with the picture's own brightness showing through; unknown things are white. */
function overlay({ rgb, labels }: Rendered): Uint8Array {
  const painted = new Uint8Array(rgb.length);
  for (let i = 0; i < rgb.length / 3; i++) {
    const grey = 0.3 * rgb[3 * i]! + 0.59 * rgb[3 * i + 1]! + 0.11 * rgb[3 * i + 2]!;
    const colour = classes[labels![i]!]?.colour ?? UNKNOWN_COLOUR;
    for (let c = 0; c < 3; c++) painted[3 * i + c] = Math.round(0.7 * colour[c]! + 0.3 * grey);
  }
  return painted;
}

function paste(
  sheet: Uint8Array,
  wide: number,
  rgb: Uint8Array,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): void {
  for (let y = 0; y < height; y++) {
    sheet.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), ((top + y) * wide + left) * 3);
  }
}
