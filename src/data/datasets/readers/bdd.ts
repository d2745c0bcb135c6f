import { basename, join } from "node:path";
import { bddColours, bddTrainIds } from "../../labels/bdd.js";
import { firstFolder, isFolder, listImages } from "../files.js";
import { pairUp, unlabelledItems } from "../pairUp.js";
import type { Reader } from "../reader.js";

/** Folder and ending of the label maps, in the releases since 2020 and before. */
const labelPlaces = {
  "train-ids": [
    { folder: "labels/sem_seg/masks", suffix: "" },
    { folder: "seg/labels", suffix: "_train_id" },
  ],
  colours: [
    { folder: "labels/sem_seg/colormaps", suffix: "" },
    { folder: "seg/color_labels", suffix: "_train_color" },
  ],
} as const;

/**
 * Berkeley DeepDrive: 10k labelled images, 100k unlabelled ones.
 *
 *   <root>/images/10k/<split>/<id>.jpg     <root>/labels/sem_seg/masks/<split>/<id>.png   (or colormaps)
 *   <root>/seg/images/<split>/<id>.jpg     <root>/seg/labels/<split>/<id>_train_id.png    (older; or color_labels, _train_color)
 *   <root>/images/100k/<split>/<id>.jpg                                                   set=100k
 *
 * Images of the 100k whose id is among the labelled 10k are left out (requirement D-6). The test split is unlabelled.
 * https://doc.bdd100k.com
 */
export const bdd: Reader = {
  name: "bdd",
  summary: "BDD10k (labelled) and BDD100k (unlabelled): the United States",
  options: {
    set: "10k (default) or 100k",
    split: "train (default), val or test",
    labels: "train-ids (default) or colours, which tell unknown things from void",
  },
  async open(root, options) {
    const set = options.choice("set", ["10k", "100k"], "10k");
    const split = options.choice("split", ["train", "val", "test"], "train");
    if (set === "100k") {
      const all = unlabelledItems(await listImages("bdd", join(root, "images", "100k", split)));
      const labelled = await labelledIds(root);
      return { items: all.items.filter(({ id }) => !labelled.has(id)), problems: all.problems, labelling: null };
    }
    const images = await listImages("bdd", await firstFolder(imageFolders(root, split)));
    if (split === "test") return { ...unlabelledItems(images), labelling: null };
    const labels = options.choice("labels", ["train-ids", "colours"], "train-ids");
    const places = labelPlaces[labels];
    const folder = await firstFolder(places.map((place) => join(root, place.folder, split)));
    const suffix = places.find((place) => folder === join(root, place.folder, split))!.suffix;
    const labelling = labels === "colours" ? bddColours : bddTrainIds;
    return { ...pairUp(images, await listImages("bdd", folder), { labelSuffix: suffix }), labelling };
  },
};

function imageFolders(root: string, split: string): string[] {
  return [join(root, "images", "10k", split), join(root, "seg", "images", split)];
}

/** Ids of every labelled image that is there. */
async function labelledIds(root: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const split of ["train", "val"]) {
    for (const folder of imageFolders(root, split)) {
      if (!(await isFolder(folder))) continue;
      for (const stem of (await listImages("bdd", folder)).byStem.keys()) ids.add(basename(stem));
    }
  }
  return ids;
}
