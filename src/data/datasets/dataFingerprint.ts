import { createHash } from "node:crypto";
import { readRegularFile } from "../../platform/files.js";
import { inParallel } from "../../platform/inParallel.js";
import type { Dataset } from "./dataset.js";

/** Files that are read at once. */
const AT_ONCE = 8;

/** One reading of the files of an opened data set is enough, however many methods ask. */
const known = new WeakMap<Dataset, Promise<string>>();

/**
 * sha256 of what a data set holds: ids, the bytes of every image and label map, and what labels mean. It is the same wherever the
 * files lie, and another as soon as one of them changes.
 */
export function dataFingerprint(dataset: Dataset): Promise<string> {
  const found = known.get(dataset) ?? fingerprint(dataset);
  known.set(dataset, found);
  return found;
}

async function fingerprint({ items, labelling }: Dataset): Promise<string> {
  const hashes: unknown[] = [];
  await inParallel(items.length, AT_ONCE, async (index) => {
    const { id, image, labels } = items[index]!;
    hashes[index] = [id, await hashOf(image), labels === null ? null : await hashOf(labels)];
  });
  return createHash("sha256")
    .update(JSON.stringify([labelling, hashes]))
    .digest("hex");
}

const hashOf = async (path: string): Promise<string> =>
  createHash("sha256")
    .update(await readRegularFile(path))
    .digest("hex");
