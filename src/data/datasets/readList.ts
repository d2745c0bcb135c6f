import { join, posix } from "node:path";
import { UserError } from "../../platform/errors.js";
import { readText } from "../../platform/files.js";
import { printable } from "../../platform/printable.js";
import type { Item } from "./dataset.js";
import { nameOf } from "./files.js";
import { type Problem, problem } from "./problem.js";

/** One line of a split list. */
export interface ListEntry {
  /** The list it stands in. */
  readonly list: string;
  /** A path without ending, as it is written there, with slashes. */
  readonly path: string;
}

/**
 * Lines of a split, from the first of several list files that is there. A line is a path, with or without the path of the labels
 * behind it, as in SegNet's lists.
 */
export async function readList(reader: string, root: string, files: readonly string[]): Promise<ListEntry[]> {
  for (const file of files) {
    const list = join(root, file);
    const text = await readText(list).catch(() => undefined);
    if (text === undefined) continue;
    return text
      .split(/\r?\n/)
      .map((line) => line.trim().split(/\s+/)[0]!)
      .filter((path) => path !== "" && !path.startsWith("#"))
      .map((path) => ({ list, path: plainPath(path) }));
  }
  throw new UserError(`${reader}: no list of the split at ${printable(join(root, files[0]!))}`, {
    hint: `write the names of the images there, one a line${files.length > 1 ? ` (or to ${files.slice(1).join(", ")})` : ""}`,
  });
}

const plainPath = (path: string): string =>
  posix.normalize(nameOf(path).replaceAll("\\", "/")).replace(/\.(png|jpe?g|webp)$/i, "");

/**
 * The listed ones among the items, in the order of the items. A line that fits no image, or several, is an error.
 *
 * Ids are paths below the folder of images. A line may name more folders than the id, as lists with whole paths do, or fewer; a
 * folder that both name must be the same.
 */
export function keepListed(
  items: readonly Item[],
  entries: readonly ListEntry[],
): { items: Item[]; problems: Problem[] } {
  const byId = new Map(items.map((item) => [item.id, item]));
  const byName = new Map<string, Item[]>();
  for (const item of items) {
    const name = posix.basename(item.id);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [item]);
    else same.push(item);
  }
  const kept = new Set<Item>();
  const problems: Problem[] = [];
  for (const { list, path } of entries) {
    const whole = tailsOf(path).find((tail) => byId.has(tail));
    const meant =
      whole === undefined
        ? (byName.get(posix.basename(path)) ?? []).filter(({ id }) => id.endsWith(`/${path}`))
        : [byId.get(whole)!];
    if (meant.length === 1) kept.add(meant[0]!);
    else problems.push(unclear(list, path, meant));
  }
  return { items: items.filter((item) => kept.has(item)), problems };
}

/** A path without none, one, two … of its first folders. */
function tailsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, from) => parts.slice(from).join("/"));
}

function unclear(list: string, path: string, meant: readonly Item[]): Problem {
  const line = `lists "${path}"`;
  if (meant.length === 0) {
    return problem("error", "image-missing", list, `${line}, and there is no such image`, "correct the list");
  }
  const ids = meant.slice(0, 2).map(({ id }) => `"${id}"`);
  const message = `${line}, which may be any of ${meant.length} images, such as ${ids.join(" and ")}`;
  return problem("error", "list-ambiguous", list, message, "write the folder too, as in the ids");
}
