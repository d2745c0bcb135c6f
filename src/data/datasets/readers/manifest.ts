import { dirname, isAbsolute, join, normalize, resolve, sep } from "node:path";
import { UserError } from "../../../platform/errors.js";
import { readText } from "../../../platform/files.js";
import { printable } from "../../../platform/printable.js";
import { findClasses } from "../classesFile.js";
import { parseCsv } from "../csv.js";
import type { Item } from "../dataset.js";
import { type Problem, problem } from "../problem.js";
import type { Reader } from "../reader.js";

/**
 * A table of files: `manifest:list.csv` with the columns image and, if there are labels, labels and split.
 *
 * Paths are relative to the folder of the table, or to `root`, and must stay inside it: a table from somewhere else cannot
 * make us open what lies elsewhere. Links inside that folder are followed; they are yours. The id of a row is its image path
 * without ending. Rows have labels all or none, within a split.
 */
export const manifest: Reader = {
  name: "manifest",
  summary: "a CSV table of images and label maps",
  options: {
    root: "folder that the paths are relative to (that of the table when left out)",
    split: "keep rows whose split column says so",
    classes: "what the labels mean: a classes.json, a labelmap.txt or a label space of ours",
  },
  async open(path, options) {
    const text = await readText(path).catch((cause: unknown) => {
      throw new UserError(`manifest: cannot read ${printable(path)}`, { hint: "check the path of the spec", cause });
    });
    const { columns, rows } = parseCsv(text, path, options.has("split") ? ["image", "split"] : ["image"]);
    const root = resolve(dirname(path), options.text("root") ?? ".");
    const split = options.text("split");
    const chosen = rows.filter((row) => split === undefined || row.split === split);
    const labelled = columns.includes("labels") && chosen.some((row) => row.labels !== "");
    const items: Item[] = [];
    const problems: Problem[] = [];
    const lines = new Map<string, { line: string; image: string }>();
    for (const row of chosen) {
      const place = `${path}, line ${row.line}`;
      const image = inside(root, row.image!, place);
      const id = row.image!.replace(/\.[a-z]+$/i, "");
      const before = lines.get(id);
      if (before !== undefined) {
        const message = `is named in line ${before.line} of ${path}, and in line ${row.line} again`;
        problems.push(problem("error", "stem-twice", before.image, message, "list it once"));
        continue;
      }
      lines.set(id, { line: row.line, image });
      if (labelled && row.labels === "") {
        throw new UserError(`manifest: ${printable(place)} has no labels, though other rows have`, {
          hint: "name the label map, or give rows without one a split of their own",
        });
      }
      items.push({ id, image, labels: labelled ? inside(root, row.labels!, place) : null });
    }
    const labelling = labelled ? await findClasses("manifest", root, options.text("classes")) : null;
    return { items, labelling, problems };
  },
};

function inside(root: string, path: string, place: string): string {
  const clean = normalize(path);
  const leaves = isAbsolute(path) || clean === ".." || clean.startsWith(`..${sep}`) || path.includes("\0");
  if (path === "" || leaves || /^[a-z]+:/i.test(path) || path.startsWith("\\")) {
    throw new UserError(`manifest: ${printable(place)}: "${printable(path)}" is not a path inside ${printable(root)}`, {
      hint: "write paths relative to the table, or say where they start with root=<folder>",
    });
  }
  return join(root, clean);
}
