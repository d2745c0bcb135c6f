import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { nameOf } from "../data/datasets/files.js";
import { readImage } from "../data/images/readImage.js";
import { UserError } from "../platform/errors.js";

/** Images to look at, found by name without ending. */
export interface ImageFolder {
  /** Bytes, height x width x 3; null where there is no image of that name. */
  read(id: string, size: { readonly height: number; readonly width: number }): Promise<Uint8Array | null>;
}

const endings = [".jpg", ".jpeg", ".png", ".webp"];

/** A folder of images, with folders in it. */
export async function openImageFolder(folder: string): Promise<ImageFolder> {
  const names = await readdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new UserError(`--images: there is no folder at ${folder}`, { cause });
  });
  const files = new Map<string, string>();
  for (const name of names.map((found) => found.replaceAll("\\", "/")).sort()) {
    const ending = extname(name);
    if (endings.includes(ending.toLowerCase())) files.set(nameOf(name.slice(0, -ending.length)), join(folder, name));
  }
  return {
    async read(id, { height, width }) {
      const file = files.get(nameOf(id));
      if (file === undefined) return null;
      const image = await readImage(file);
      if (image.height !== height || image.width !== width) {
        throw new UserError(`${file} is ${image.height} x ${image.width}, its labels are ${height} x ${width}`);
      }
      return image.rgb;
    },
  };
}
