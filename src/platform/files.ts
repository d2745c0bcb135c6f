import { constants } from "node:fs";
import { type FileHandle, mkdir, open, stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { UserError } from "./errors.js";

/** A file or folder that the system, or a rule of ours, does not let us use. `code` is the system's, e.g. ENOENT. */
export class FileError extends UserError {
  constructor(path: string, code: string, cause?: unknown) {
    const [sentence, hint] = reasons[code] ?? [`cannot be used (${code})`, "check the disk, the rights and ulimit -n"];
    super(`${path}: ${sentence}`, { hint, code, cause });
  }
}

/** What a code means, and what to do about it. The last three are ours. */
const reasons: Partial<Record<string, readonly [string, string]>> = {
  ENOENT: ["is not there", "is the path right?"],
  ENOTDIR: ["is inside a file, not a folder", "is the path right?"],
  ELOOP: ["is a circular symlink", "remove the link, or let it point at the file"],
  EACCES: ["permission denied", "check permissions"],
  EPERM: ["permission denied", "check permissions"],
  EROFS: ["lies on a disk that is read-only", "choose a folder that can be written to"],
  ENOSPC: ["disk full", "free some space and run the same command again"],
  EDQUOT: ["disk quota exceeded", "free some space and run the same command again"],
  EMFILE: ["cannot be opened: this process has too many files open", "raise the limit (ulimit -n 1024)"],
  EISDIR: ["is a folder, wanted a file", "is the path right?"],
  NOT_A_FOLDER: ["is a file, wanted a folder", "choose another path, or move the file away"],
  NOT_REGULAR: ["is a pipe or a device, wanted a file", "copy what it gives into a file"],
  TOO_LARGE: ["is larger than any file of its kind", "is it the right file?"],
};

/** More is read in no case: larger weights and models exist, but not for these networks. */
const MOST_BYTES = 2 ** 31 - 1;

/**
 * The bytes of a regular file of at most `most` bytes, or a FileError. A pipe would be waited for without end, and a link to a device
 * would fill the memory: both are refused before anything is read.
 */
export const readRegularFile = (path: string, most = MOST_BYTES): Promise<Buffer> =>
  reading(path, most, (file) => file.readFile());

/** The first bytes of a regular file, fewer where it is shorter. */
export const readStart = (path: string, length: number): Promise<Buffer> =>
  reading(path, MOST_BYTES, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  });

async function reading(path: string, most: number, read: (file: FileHandle) => Promise<Buffer>): Promise<Buffer> {
  try {
    // Without O_NONBLOCK, opening a pipe blocks until it is written to.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      if (found.isDirectory()) throw new FileError(path, "EISDIR");
      if (!found.isFile()) throw new FileError(path, "NOT_REGULAR");
      if (found.size > most) throw new FileError(path, "TOO_LARGE");
      return await read(file);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw cause instanceof FileError ? cause : new FileError(path, codeOf(cause), cause);
  }
}

/** The same as text. Lists of images have a few megabytes at most. */
export const readText = async (path: string): Promise<string> =>
  (await readRegularFile(path, 2 ** 28)).toString("utf8");

/** The same; null where there is no such file. Any other trouble is an error. */
export async function readIfThere(path: string, most?: number): Promise<Buffer | null> {
  return readRegularFile(path, most).catch((error: unknown) => {
    if (error instanceof FileError && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  });
}

/** Make a folder and those it lies in, where they are not there yet. (Node's own `recursive` never returns below /proc.) */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path).catch(async (cause: unknown) => {
      const parent = dirname(path);
      if (codeOf(cause) !== "ENOENT" || parent === path) throw cause;
      await makeFolder(parent);
      await mkdir(path);
    });
  } catch (cause) {
    if (cause instanceof FileError) throw cause;
    const code = codeOf(cause);
    if (code !== "EEXIST") throw new FileError(path, code, cause);
    const found = await stat(path).catch((error: unknown) => {
      throw new FileError(path, codeOf(error), error);
    });
    if (!found.isDirectory()) throw new FileError(path, "NOT_A_FOLDER", cause);
  }
}

/** Where a file goes that is asked for by a folder or by its own path, which has the ending of `name`: its name where none is given. */
export function fileIn(to: string, name: string): string {
  const [given, wanted] = [extname(to), extname(name)];
  if (given === wanted) return to;
  if (!/^\.[a-z]+$/i.test(given)) return join(to, name);
  throw new UserError(`"${to}": wanted a folder, or a file that ends in ${wanted}`, { code: "bad-option" });
}

/** The system's code of an error, e.g. ENOSPC. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);
