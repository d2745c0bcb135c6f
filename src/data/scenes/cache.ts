import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { makeFolder } from "../../platform/files.js";
import { inParallel } from "../../platform/inParallel.js";
import { readJsonIfSound } from "../../platform/json.js";
import { sha256 } from "../../platform/seal.js";
import { decodeLabels, encodeLabels } from "../images/labelPng.js";
import { type Scene, sceneId } from "./drawScene.js";
import { openScenePool } from "./sceneJobs.js";
import type { ScenesSpec } from "./spec.js";

/** Raise it whenever a change moves a pixel: old folders are then left alone and new ones drawn. */
export const DRAWING_VERSION = 3;

/** Images on their way at once: some are encoded and written while others are drawn. */
const AT_ONCE = 2 * availableParallelism();

interface Work {
  readonly spec: ScenesSpec;
  readonly labelled: boolean;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** File name to sha256 of its bytes. */
type Manifest = Record<string, string>;

/** Where the files of a spec lie in the cache, whether or not they have been drawn yet. */
export function sceneFiles(
  root: string,
  spec: ScenesSpec,
  labelled: boolean,
): { id: string; image: string; labels: string | null }[] {
  const folder = join(root, folderName(spec));
  return Array.from({ length: spec.count }, (_, index) => {
    const id = sceneId(spec, index);
    return { id, image: join(folder, `${id}.png`), labels: labelled ? join(folder, `${id}.labels.png`) : null };
  });
}

function folderName({ domain, split, seed, width, height }: ScenesSpec): string {
  return `${domain}-${split}-seed${seed}-${width}x${height}-v${DRAWING_VERSION}`;
}

/**
 * Make sure every image of a spec lies in the cache, and return how to read one.
 *
 * <root>/<domain>-<split>-seed<seed>-<width>x<height>-v<version>/ holds <id>.png, <id>.labels.png and manifest.json with
 * a hash per file. An image counts only if its bytes still have the hash written down; others are drawn again. Images
 * do not depend on the count, so a larger set grows out of a smaller one.
 */
export async function fillCache(
  root: string,
  { spec, labelled, onProgress }: Work,
): Promise<(index: number) => Promise<Scene>> {
  const { width, height, count } = spec;
  const folder = join(root, folderName(spec));
  await makeFolder(folder).catch((cause: unknown) => {
    throw new UserError(`scenes: cannot make the cache folder ${folder}`, {
      hint: "choose another cache folder",
      cause,
    });
  });
  const manifest = await readManifest(folder);
  const name = (index: number): string => sceneId(spec, index);
  const files = (index: number): string[] => [`${name(index)}.png`, ...(labelled ? [`${name(index)}.labels.png`] : [])];

  const pool = openScenePool();
  const store = async (index: number): Promise<void> => {
    const scene = await pool.submit({ spec, index }).result();
    const image = await sharp(scene.rgb, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 2 })
      .toBuffer();
    const written = [image, ...(scene.labels === null ? [] : [encodeLabels({ width, height, labels: scene.labels })])];
    for (const [i, bytes] of written.entries()) {
      const file = files(index)[i]!;
      const path = join(folder, file);
      // Another process may have drawn it meanwhile: its bytes are the same, and may be being read by now.
      if (!(await readFile(path).catch(() => undefined))?.equals(bytes)) await writeAtomically(path, bytes);
      manifest[file] = sha256(bytes);
    }
  };

  let done = 0;
  let drawn = 0;
  await inParallel(count, AT_ONCE, async (index) => {
    if (!(await intact(folder, files(index), manifest))) {
      await store(index);
      // Written down now and then, so that a run cut short loses little.
      if (++drawn % 100 === 0) await writeManifest(folder, manifest);
    }
    onProgress?.(++done, count);
  }).finally(() => pool.close());
  if (drawn > 0) await writeManifest(folder, manifest);

  return async (index) => {
    const [image, labels] = await Promise.all(files(index).map((file) => readFile(join(folder, file))));
    const rgb = await sharp(image).raw().toBuffer();
    return {
      id: name(index),
      width,
      height,
      rgb: new Uint8Array(rgb.buffer, rgb.byteOffset, rgb.byteLength),
      labels: labels === undefined ? null : decodeLabels(labels).labels,
    };
  };
}

async function intact(folder: string, files: readonly string[], manifest: Manifest): Promise<boolean> {
  for (const file of files) {
    const wanted = manifest[file];
    if (wanted === undefined) return false;
    const bytes = await readFile(join(folder, file)).catch(() => undefined);
    if (bytes === undefined || sha256(bytes) !== wanted) return false;
  }
  return true;
}

async function readManifest(folder: string): Promise<Manifest> {
  // A manifest that is missing or torn only costs drawing again.
  const schema = z.record(z.string(), z.string());
  return (await readJsonIfSound(join(folder, "manifest.json"), { schema, hint: "" })) ?? {};
}

function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(manifest).sort(([a], [b]) => (a < b ? -1 : 1)));
  return writeAtomically(join(folder, "manifest.json"), Buffer.from(`${JSON.stringify(sorted, null, 1)}\n`));
}
