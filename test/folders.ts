import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { makePng } from "./makePng.js";

/** Run with a folder of its own, which is gone afterwards. */
export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "gssl-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Write files, making the folders they need. */
export async function writeFiles(root: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), bytes);
  }
}

/** A small image; different for each seed. */
export function testImage(width: number, height: number, seed = 0): ReturnType<typeof sharp> {
  const rgb = Buffer.alloc(width * height * 3);
  for (let i = 0; i < rgb.length; i++) rgb[i] = ((i * (seed + 7)) ^ (i >> 4) ^ (seed * 31)) & 255;
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

/** A grey label map of one id, or of a list of them. */
export function idMap(width: number, height: number, ids: number | readonly number[]): Buffer {
  const list = typeof ids === "number" ? [ids] : ids;
  const values = Array.from({ length: width * height }, (_, i) => list[i % list.length]!);
  return makePng({ width, height, depth: 8, type: 0, values });
}

/** A label map of colours. */
export function colourMap(
  width: number,
  height: number,
  colours: readonly (readonly [number, number, number])[],
): Buffer {
  const values = Array.from({ length: width * height }, (_, i) => colours[i % colours.length]!).flat();
  return makePng({ width, height, depth: 8, type: 2, values });
}
