import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../platform/atomicFile.js";
import { makeFolder } from "../../platform/files.js";
import { readJsonIfSound } from "../../platform/json.js";
import { sha256 } from "../../platform/seal.js";
import { frameFile } from "./frameFile.js";
import { badFrame, type Frame, type ImageLog } from "./imageLog.js";

/** Id of a frame to its file and that file's bytes. */
const manifestFile = z.record(z.string(), z.object({ file: z.string().regex(/^[\w.]+$/), bytes: z.int().positive() }));
type Manifest = z.infer<typeof manifestFile>;

/** Frames between two writes of the manifest: a run that is cut short loses no more. */
const NOTED = 200;

/**
 * The frames of a topic as image files in the cache: `<cache>/logs/<log>-<key>/<id>.jpg`, written once and atomically. The key is made of
 * path, size and time of the log, and of the topic. A file counts while it has the size that was noted; its pixels are checked like those
 * of any data set. Frames are written as they are asked for, so that a larger selection grows out of a smaller one.
 */
export async function cachedFrames(
  cache: string,
  { images, topic, frames }: { readonly images: ImageLog; readonly topic: string; readonly frames: readonly Frame[] },
  onProgress?: (done: number, total: number) => void,
): Promise<Map<string, string>> {
  const path = resolve(images.log.path);
  const { size, mtimeMs } = await stat(path);
  const key = sha256(JSON.stringify([path, size, mtimeMs, topic])).slice(0, 16);
  const folder = join(cache, "logs", `${basename(path, ".mcap").replace(/[^\w.-]/g, "_")}-${key}`);
  const noted = join(folder, "manifest.json");
  await makeFolder(folder);
  const manifest: Manifest = (await readJsonIfSound(noted, { schema: manifestFile, hint: "" })) ?? {};
  const missing: Frame[] = [];
  for (const frame of frames) if (!(await isThere(folder, manifest[frame.id]))) missing.push(frame);
  let done = frames.length - missing.length;
  for await (const { frame, image } of images.read(topic, missing)) {
    const { ending, bytes } = await frameFile(image()).catch((cause: unknown) => {
      throw badFrame(images.log.file, topic, frame, cause);
    });
    const file = `${frame.id}${ending}`;
    await writeAtomically(join(folder, file), bytes);
    manifest[frame.id] = { file, bytes: bytes.length };
    onProgress?.(++done, frames.length);
    if (done % NOTED === 0) await writeAtomically(noted, JSON.stringify(manifest));
  }
  if (missing.length > 0) await writeAtomically(noted, JSON.stringify(manifest));
  return new Map(frames.map(({ id }) => [id, join(folder, manifest[id]!.file)]));
}

async function isThere(folder: string, entry: Manifest[string] | undefined): Promise<boolean> {
  if (entry === undefined) return false;
  return (await stat(join(folder, entry.file)).catch(() => undefined))?.size === entry.bytes;
}
