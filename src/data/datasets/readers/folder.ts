import { join } from "node:path";
import { UserError } from "../../../platform/errors.js";
import { findClasses } from "../classesFile.js";
import { byId, type Item } from "../dataset.js";
import { isFolder, listImages } from "../files.js";
import { folderLayout } from "../folderLayout.js";
import { likelyLabels } from "../likelyLabels.js";
import { pairUp, unlabelledItems } from "../pairUp.js";
import type { Problem } from "../problem.js";
import type { Options, Reader } from "../reader.js";
import { keepListed, readList } from "../readList.js";

/**
 * Anybody's images.
 *
 *   folder:/frames                                            every image below /frames, unlabelled
 *   folder:/x                                                 /x/img/<id>.* with /x/gt/<id>.png and /x/classes.json, or as /x/dataset.json says
 *   folder:/x?images=img&labels=gt&classes=classes.json       /x/img/<id>.* with /x/gt/<id>.png
 *
 * Ids are paths below the folder of images, without ending. `classes` is a file (docs/data.md has its form; a CVAT or VOC
 * labelmap.txt will do) or the name of a label space of ours. Left out, classes.json or labelmap.txt in /x is taken. What a spec says goes
 * before what dataset.json says.
 */
export const folder: Reader = {
  name: "folder",
  summary: "your own images, with or without label maps",
  options: {
    images: "folder of the images, below the path (when left out, img beside gt, or the path itself)",
    labels: "folder of the label maps, below the path (when left out, gt beside img, or none)",
    classes: "what the labels mean: a classes.json, a labelmap.txt or a label space of ours",
    "image-suffix": "what the names of images end in after the id, e.g. _leftImg8bit",
    "label-suffix": "what the names of label maps end in after the id, e.g. _L",
    split:
      "train, val or all where dataset.json holds images out; a folder below that of the images; or a list, <path>/<split>.txt or <path>/ImageSets/Segmentation/<split>.txt",
  },
  async open(root, options) {
    const blind = options.has("unlabelled") && options.choice("unlabelled", ["true", "false"], "true") === "true";
    const layout = await folderLayout(root, { blind, detect: !options.has("images") && !options.has("labels") });
    const own = (key: "images" | "labels" | "classes" | "image-suffix" | "label-suffix"): string | undefined => {
      const value = options.text(key) ?? layout[key];
      if (value !== undefined) options.resolve(key, value);
      return value;
    };
    const folder = join(root, own("images") ?? "");
    // Labels that are not to be opened are looked for only where the spec itself names them.
    const labels = blind ? options.text("labels") : own("labels");
    const imageSuffix = own("image-suffix") ?? "";
    const labelSuffix = own("label-suffix") ?? "";
    const images = await listImages("folder", folder, { deep: true });
    if (labels === undefined && options.has("classes")) {
      throw new UserError("folder: classes are given, but no labels", { hint: "add labels=<folder of label maps>" });
    }
    const unasked = labels === undefined ? likelyLabels(images) : [];
    const labelling = labels === undefined ? null : await findClasses("folder", root, own("classes"));
    const all =
      labels === undefined
        ? unlabelledItems(images, { imageSuffix })
        : pairUp(images, await listImages("folder", join(root, labels), { deep: true }), {
            imageSuffix,
            labelSuffix,
          });
    const kept = await ofSplit(all.items, { root, folder, heldOut: layout.heldOut }, options);
    return { items: kept.items, labelling, problems: [...all.problems, ...unasked, ...kept.problems] };
  },
};

interface Place {
  readonly root: string;
  /** Of the images. */
  readonly folder: string;
  /** Every so many images are held out. */
  readonly heldOut: number | undefined;
}

/** The images of a split: of a rule, of a folder, or of a list. */
async function ofSplit(
  items: readonly Item[],
  { root, folder, heldOut }: Place,
  options: Options,
): Promise<{ items: readonly Item[]; problems: readonly Problem[] }> {
  if (heldOut !== undefined) {
    const split = options.choice("split", ["train", "val", "all"], "train");
    const isHeldOut = new Set([...items].sort(byId).filter((_, index) => index % heldOut === 0));
    const kept = items.filter((item) => split === "all" || isHeldOut.has(item) === (split === "val"));
    return { items: kept, problems: [] };
  }
  const split = options.text("split");
  if (split === undefined) return { items, problems: [] };
  if (!/^[\w.-]+$/.test(split)) {
    throw new UserError(`folder: split is "${split}"`, { hint: "a split is the name of a list, such as train" });
  }
  if (await isFolder(join(folder, split))) {
    return { items: items.filter(({ id }) => id.startsWith(`${split}/`)), problems: [] };
  }
  return keepListed(items, await readList("folder", root, [`${split}.txt`, `ImageSets/Segmentation/${split}.txt`]));
}
