import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";
import { type Problem, problem } from "./problem.js";

/**
 * Endings of images. More than can be read: a HEIC among the images must be refused by name, not passed over.
 */
const IMAGE = /\.(png|jpe?g|webp|gif|tiff?|bmp|avif|heic|heif|jfif|ppm|jp2)$/i;

/** Images of a folder, by stem: the path without folder and ending, in NFC. Stems are sorted, and so are the files of each. */
export interface Images {
  readonly folder: string;
  readonly byStem: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly Problem[];
}

/**
 * List the images of a folder, and with `deep` of the folders in it; a stem then holds their names, joined with "/".
 *
 * Hidden files are passed over. Links are followed, but a link to a folder that is already open is not: it would go round.
 */
export async function listImages(reader: string, folder: string, { deep = false } = {}): Promise<Images> {
  if (!(await isFolder(folder))) {
    throw new UserError(`${reader}: there is no folder ${printable(folder)}`, {
      hint: "check the path of the spec; docs/data.md shows how each data set lies on disk",
    });
  }
  const byStem = new Map<string, string[]>();
  const problems: Problem[] = [];

  const visit = async (path: string, prefix: string, above: readonly string[]): Promise<void> => {
    const here = await realpath(path);
    if (above.includes(here)) {
      problems.push(
        problem("warning", "link-loop", path, "a link to a folder it lies in; not followed", "remove the link"),
      );
      return;
    }
    const entries = await readdir(path, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name.startsWith(".") || entry.name === "__MACOSX") continue;
      const full = join(path, entry.name);
      const folderLike = entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(full)));
      if (folderLike) {
        if (deep) await visit(full, `${prefix}${entry.name}/`, [...above, here]);
      } else if (IMAGE.test(entry.name)) {
        const stem = nameOf(prefix + entry.name.replace(IMAGE, ""));
        const files = byStem.get(stem);
        if (files === undefined) byStem.set(stem, [full]);
        else files.push(full);
      }
    }
  };
  await visit(folder, "", []);
  return { folder, byStem: new Map([...byStem].sort(([a], [b]) => (a < b ? -1 : 1))), problems };
}

/** A name as names are compared: "ü" is one character in files of Linux and Windows, and two in those of macOS. */
export const nameOf = (name: string): string => name.normalize("NFC");

export async function isFolder(path: string): Promise<boolean> {
  // A link that goes round has no status: it is no folder, and is listed as the file it is named.
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** The first of several folders that is there, or the first if none is. */
export async function firstFolder(paths: readonly string[]): Promise<string> {
  for (const path of paths) if (await isFolder(path)) return path;
  return paths[0]!;
}
