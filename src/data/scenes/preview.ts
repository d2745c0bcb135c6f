import { join } from "node:path";
import sharp from "sharp";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { makeFolder } from "../../platform/files.js";
import { knownHint } from "../../platform/nearest.js";
import { overlay, Sheet } from "../images/sheet.js";
import { render } from "./drawScene.js";
import { type DomainName, domains, isDomain } from "./spec.js";
import { classes } from "./world/classes.js";

export interface PreviewOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly seed?: number;
  readonly width?: number;
  readonly height?: number;
  /** PNG keeps every pixel, JPEG keeps pages light. */
  readonly format?: "png" | "jpeg";
}

/** A contact sheet of a domain: images in a grid, each with its labels laid over it beneath. Encoded image bytes. */
export async function previewSheet(
  domain: DomainName,
  { columns = 4, rows = 3, seed = 0, width = 256, height = 128, format = "png" }: PreviewOptions = {},
): Promise<Uint8Array> {
  const sheet = new Sheet(columns, rows * 2, { width, height });
  const colours = classes.map(({ colour }) => colour);
  for (let index = 0; index < columns * rows; index++) {
    // A split of its own, so that a preview shows the place and not somebody's test set.
    const key = `${seed}/${domain}/preview/${index}`;
    const { rgb, labels } = render(domains[domain].draw, key, { width, height }, { labelled: true });
    const [column, row] = [index % columns, 2 * Math.floor(index / columns)];
    sheet.paste(rgb, column, row);
    sheet.paste(overlay(rgb, labels!, colours), column, row + 1);
  }
  const image = sharp(sheet.rgb, { raw: { width: sheet.width, height: sheet.height, channels: 3 } });
  return format === "png" ? image.png({ compressionLevel: 9 }).toBuffer() : image.jpeg({ quality: 72 }).toBuffer();
}

/** Write a contact sheet of each place, of all when none is named. Returns the files. */
export async function previewScenes(
  places: readonly string[],
  { to, seed }: { readonly to: string; readonly seed: number },
): Promise<string[]> {
  const known = Object.keys(domains).filter(isDomain);
  const wanted = places.length === 0 ? known : places.map(requirePlace);
  await makeFolder(to);
  const files: string[] = [];
  for (const place of wanted) {
    const path = join(to, `${place}.png`);
    await writeAtomically(path, await previewSheet(place, { seed }));
    files.push(path);
  }
  return files;
}

function requirePlace(name: string): DomainName {
  if (isDomain(name)) return name;
  throw new UserError(`there is no place "${name}"`, {
    hint: knownHint(name, Object.keys(domains)),
    code: "unknown-name",
  });
}
