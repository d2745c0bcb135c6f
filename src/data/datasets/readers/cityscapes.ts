import { join } from "node:path";
import { cityscapesColours, cityscapesIds, cityscapesTrainIds } from "../../labels/cityscapes.js";
import { type Images, listImages } from "../files.js";
import { pairUp, unlabelledItems } from "../pairUp.js";
import type { Options, Reader } from "../reader.js";

/** How label files end, and what they hold, for each value of `labels`. */
const spaces = {
  ids: { suffix: "_gtFine_labelIds", labelling: cityscapesIds },
  "train-ids": { suffix: "_gtFine_labelTrainIds", labelling: cityscapesTrainIds },
  colours: { suffix: "_gtFine_color", labelling: cityscapesColours },
} as const;

/**
 * Cityscapes, as it is unpacked.
 *
 *   <root>/leftImg8bit/<split>/<city>/<id>_leftImg8bit.*
 *   <root>/gtFine/<split>/<city>/<id>_gtFine_labelIds.png    or _labelTrainIds.png, or _color.png
 *
 * Label ids are taken where there are several, because they tell unknown things from void. The labels of the test split are
 * blank, so it is unlabelled. https://www.cityscapes-dataset.com
 */
export const cityscapes: Reader = {
  name: "cityscapes",
  summary: "Cityscapes: 50 cities in and around Germany",
  options: {
    split: "train (default), val or test",
    labels: "ids, train-ids or colours (found out from the files when left out)",
  },
  async open(root, options) {
    const split = options.choice("split", ["train", "val", "test"], "train");
    const images = await listImages("cityscapes", join(root, "leftImg8bit", split), { deep: true });
    const imageSuffix = "_leftImg8bit";
    if (split === "test") return { ...unlabelledItems(images, { imageSuffix }), labelling: null };
    const labels = await listImages("cityscapes", join(root, "gtFine", split), { deep: true });
    const { suffix, labelling } = spaces[spaceOf(labels, options)];
    return { ...pairUp(images, labels, { imageSuffix, labelSuffix: suffix }), labelling };
  },
};

function spaceOf({ byStem }: Images, options: Options): keyof typeof spaces {
  const words = ["ids", "train-ids", "colours"] as const;
  const there = words.find((word) => [...byStem.keys()].some((stem) => stem.endsWith(spaces[word].suffix)));
  return options.choice("labels", words, there ?? "ids");
}
