import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import { ZipFile } from "yazl";
import { hexColour } from "../../data/labels/labelTable.js";
import { UserError } from "../../platform/errors.js";
import { codeOf, FileError } from "../../platform/files.js";
import { printable } from "../../platform/printable.js";
import type { PreLabelled } from "./coco.js";

type Colour = readonly [red: number, green: number, blue: number];

/** A label of CVAT. */
export interface CvatLabel {
  readonly name: string;
  readonly colour: Colour;
}

/** What CVAT calls unlabelled pixels. */
const BACKGROUND: Colour = [0, 0, 0];

/**
 * Classes as labels: masks tell them by colour alone, so black, which is the background, and colours that two classes share are replaced.
 */
export function cvatLabels(classes: readonly CvatLabel[]): CvatLabel[] {
  const odd = classes.find(({ name }) => name === "background" || /[:\n\r]/.test(name));
  if (odd !== undefined) {
    throw new UserError(`CVAT cannot have a label "${printable(odd.name)}"`, {
      hint: 'its label maps use ":" between their parts, and "background" for unlabelled pixels; rename the class',
    });
  }
  const taken = new Set([hexColour(BACKGROUND)]);
  return classes.map(({ name, colour: wanted }) => {
    let colour = wanted;
    for (let shift = 1; taken.has(hexColour(colour)); shift++) {
      colour = [(wanted[0] + 64 * shift) % 256, (wanted[1] + 96 * shift) % 256, (wanted[2] + 37 * shift) % 256];
    }
    taken.add(hexColour(colour));
    return { name, colour };
  });
}

/** labels.json, for the field "Raw" of a new task. */
export const labelsJson = (labels: readonly CvatLabel[]): string =>
  `${JSON.stringify(
    labels.map(({ name, colour }) => ({ name, color: `#${hexColour(colour)}`, type: "any", attributes: [] })),
    null,
    1,
  )}\n`;

/** labelmap.txt of "Segmentation mask 1.1". */
export const labelmap = (labels: readonly CvatLabel[]): string =>
  [
    "# label:color_rgb:parts:actions",
    ...[{ name: "background", colour: BACKGROUND }, ...labels].map(
      ({ name, colour }) => `${name}:${colour.join(",")}::`,
    ),
    "",
  ].join("\n");

/** A mask in the colours of the labels. */
export function maskPng({ width, height, labels: pixels }: PreLabelled, labels: readonly CvatLabel[]): Promise<Buffer> {
  const rgb = new Uint8Array(3 * pixels.length);
  for (let i = 0; i < pixels.length; i++) rgb.set(labels[pixels[i]!]?.colour ?? BACKGROUND, 3 * i);
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** Names of parts, and their bytes. */
export type Parts = Iterable<readonly [name: string, bytes: Uint8Array | (() => Promise<Uint8Array>)]>;

/** A fixed date in all archives: the same selection gives the same bytes. */
const DATE = new Date(1980, 0, 1);

/** Write an archive, one part after the other; it is there under its name once it is whole. */
export async function writeZip(path: string, parts: Parts): Promise<void> {
  const zip = new ZipFile();
  const draft = `${path}.tmp`;
  try {
    const written = pipeline(zip.outputStream, createWriteStream(draft));
    for (const [name, bytes] of parts) {
      const content = typeof bytes === "function" ? await bytes() : bytes;
      // Images are compressed already.
      zip.addBuffer(Buffer.from(content), name, { mtime: DATE, compress: !/\.(png|jpe?g|webp)$/i.test(name) });
    }
    zip.end();
    await written;
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    if (cause instanceof FileError) throw cause;
    throw new FileError(path, codeOf(cause), cause);
  }
}
