import { join } from "node:path";
import { UserError } from "../../../platform/errors.js";
import { findClasses } from "../classesFile.js";
import { listImages } from "../files.js";
import { likelyLabels } from "../likelyLabels.js";
import { pairUp, unlabelledItems } from "../pairUp.js";
import type { Reader } from "../reader.js";
import { keepListed, readList } from "../readList.js";

/**
 * Anybody's images.
 *
 *   folder:/frames                                            every image below /frames, unlabelled
 *   folder:/x?images=img&labels=gt&classes=classes.json       /x/img/<id>.* with /x/gt/<id>.png
 *
 * Ids are paths below the folder of images, without ending. `classes` is a file (docs/data.md has its form; a CVAT or VOC
 * labelmap.txt will do) or the name of a label space of ours. Left out, classes.json or labelmap.txt in /x is taken.
 */
export const folder: Reader = {
  name: "folder",
  summary: "your own images, with or without label maps",
  options: {
    images: "folder of the images, below the path (the path itself when left out)",
    labels: "folder of the label maps, below the path (unlabelled when left out)",
    classes: "what the labels mean: a classes.json, a labelmap.txt or a label space of ours",
    "image-suffix": "what the names of images end in after the id, e.g. _leftImg8bit",
    "label-suffix": "what the names of label maps end in after the id, e.g. _L",
    split: "names or paths listed in <path>/<split>.txt or <path>/ImageSets/Segmentation/<split>.txt",
  },
  async open(root, options) {
    const folder = options.text("images") ?? "";
    const labels = options.text("labels");
    const imageSuffix = options.text("image-suffix") ?? "";
    const labelSuffix = options.text("label-suffix") ?? "";
    const images = await listImages("folder", join(root, folder), { deep: true });
    if (labels === undefined && options.has("classes")) {
      throw new UserError("folder: classes are given, but no labels", { hint: "add labels=<folder of label maps>" });
    }
    const unasked = labels === undefined ? likelyLabels(images) : [];
    const labelling = labels === undefined ? null : await findClasses("folder", root, options.text("classes"));
    const all =
      labels === undefined
        ? unlabelledItems(images, { imageSuffix })
        : pairUp(images, await listImages("folder", join(root, labels), { deep: true }), {
            imageSuffix,
            labelSuffix,
          });
    const problems = [...all.problems, ...unasked];
    const split = options.text("split");
    if (split === undefined) return { items: all.items, labelling, problems };
    if (!/^[\w.-]+$/.test(split)) {
      throw new UserError(`folder: split is "${split}"`, { hint: "a split is the name of a list, such as train" });
    }
    const entries = await readList("folder", root, [`${split}.txt`, `ImageSets/Segmentation/${split}.txt`]);
    const listed = keepListed(all.items, entries);
    return { items: listed.items, labelling, problems: [...problems, ...listed.problems] };
  },
};
