import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, FileError } from "./files.js";

/**
 * Write a file under a name of its own first, then rename it: readers see all of it or none of it, and what was there before
 * stays until then. With `durable`, it also survives a power cut once this returns.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array | string,
  { durable = false }: { readonly durable?: boolean } = {},
): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "w");
    try {
      await file.writeFile(bytes);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    if (durable) await syncFolder(dirname(path));
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    throw new FileError(path, codeOf(cause), cause);
  }
}

const DRAFT = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Remove what killed processes left half written in a folder. `olderThan` (ms) spares drafts that may be somebody's at work. */
export async function removeDrafts(folder: string, olderThan = 0): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter((one) => DRAFT.test(one))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Math.abs(Date.now() - found.mtimeMs) >= olderThan) await rm(path, { force: true });
  }
}

/** A renamed file is only safe when the folder that lists it is on disk too. Windows and some file systems cannot do that. */
async function syncFolder(folder: string): Promise<void> {
  const cannot = (error: unknown): void => {
    if (!["EPERM", "EACCES", "EISDIR", "EINVAL", "ENOTSUP"].includes(codeOf(error))) throw error;
  };
  const handle = await open(folder, "r").catch(cannot);
  if (handle === undefined) return;
  try {
    await handle.sync().catch(cannot);
  } finally {
    await handle.close();
  }
}
