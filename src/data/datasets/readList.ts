import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";
import type { Item } from "./dataset.js";
import { type Problem, problem } from "./problem.js";

/**
 * Ids of a split, from the first of several list files that is there: one a line. Lines may also be paths, with or without
 * the path of the labels behind them, as in SegNet's lists; the stem of the first is the id.
 */
export async function readList(reader: string, root: string, files: readonly string[]): Promise<string[]> {
  for (const file of files) {
    const text = await readFile(join(root, file), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    return text
      .split(/\r?\n/)
      .map((line) => line.trim().split(/\s+/)[0]!)
      .filter((entry) => entry !== "" && !entry.startsWith("#"))
      .map((entry) => posix.basename(entry).replace(/\.(png|jpe?g|webp)$/i, ""));
  }
  throw new UserError(`${reader}: no list of the split at ${printable(join(root, files[0]!))}`, {
    hint: `write the names of the pictures there, one a line${files.length > 1 ? ` (or to ${files.slice(1).join(", ")})` : ""}`,
  });
}

/** The listed ones among the items, in the order of the items. A listed picture that is not there is an error. */
export function keepListed(
  items: readonly Item[],
  ids: readonly string[],
  list: string,
): { items: Item[]; problems: Problem[] } {
  const wanted = new Set(ids);
  const kept = items.filter(({ id }) => wanted.has(posix.basename(id)));
  const there = new Set(kept.map(({ id }) => posix.basename(id)));
  const missing = ids.filter((id) => !there.has(id));
  const problems = missing.map((id) =>
    problem(
      "error",
      "image-missing",
      list,
      `lists "${printable(id)}", and there is no such picture`,
      "correct the list",
    ),
  );
  return { items: kept, problems };
}
