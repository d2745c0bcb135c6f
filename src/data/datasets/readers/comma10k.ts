import { join } from "node:path";
import { UserError } from "../../../platform/errors.js";
import { readText } from "../../../platform/files.js";
import { comma10kColours } from "../../labels/comma10k.js";
import { parseCsv } from "../csv.js";
import { listImages } from "../files.js";
import { pairUp } from "../pairUp.js";
import type { Reader } from "../reader.js";

/**
 * comma10k: dash-cams in the United States, five colours.
 *
 *   <root>/imgs/<name>.*   <root>/masks/<name>.png
 *   <root>/light.csv       columns file and light, which is day or night; needed for `light` only
 *
 * https://github.com/commaai/comma10k
 */
export const comma10k: Reader = {
  name: "comma10k",
  summary: "comma10k: dash-cams in the United States, by day and by night",
  options: { light: "day or night, as light.csv says (all when left out)" },
  async open(root, options) {
    const images = await listImages("comma10k", join(root, "imgs"));
    const labels = await listImages("comma10k", join(root, "masks"));
    const all = pairUp(images, labels);
    if (!options.has("light")) return { ...all, labelling: comma10kColours };
    const light = options.choice("light", ["day", "night"], "day");
    const path = join(root, "light.csv");
    const text = await readText(path).catch((cause: unknown) => {
      throw new UserError(`comma10k: which images are ${light} is not known: no ${path}`, {
        hint: "write a table with the columns file and light there",
        cause,
      });
    });
    const { rows } = parseCsv(text, path, ["file", "light"]);
    const wanted = new Set(rows.filter((row) => row.light === light).map((row) => row.file!.replace(/\.[a-z]+$/i, "")));
    return { ...all, items: all.items.filter(({ id }) => wanted.has(id)), labelling: comma10kColours };
  },
};
