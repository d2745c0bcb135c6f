import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { UserError } from "./errors.js";

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
    throw new UserError(`cannot write ${path}: ${cause instanceof Error ? cause.message : cause}`, {
      hint: "is the disk full, or the folder read-only?",
      cause,
    });
  }
}

/** A renamed file is only safe when the folder that lists it is on disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
