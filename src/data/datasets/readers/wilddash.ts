import { join } from "node:path";
import { wildDash1Ids, wildDash2Ids } from "../../labels/wildDash.js";
import { firstFolder, isFolder, listImages } from "../files.js";
import { pairUp } from "../pairUp.js";
import type { Reader } from "../reader.js";

/**
 * WildDash: hazards from all over the world, for testing only.
 *
 *   version 2   <root>/images/<id>.jpg                   <root>/labels/<id>.png       wd_public_02, ids 0 to 38
 *   version 1   <root>/wd_val_01/<id>_100000.png         <id>_100000_labelIds.png beside it, Cityscapes label ids
 *
 * https://wilddash.cc
 */
export const wilddash: Reader = {
  name: "wilddash",
  summary: "WildDash 1 and 2: hazards from all over the world",
  options: { version: "1 or 2 (found out from the folders when left out)" },
  async open(root, options) {
    const newer = await isFolder(join(root, "images"));
    const version = options.choice("version", ["1", "2"], newer ? "2" : "1");
    if (version === "2" || newer) {
      const images = await listImages("wilddash", join(root, "images"));
      const labels = await listImages("wilddash", join(root, "labels"));
      return { ...pairUp(images, labels), labelling: version === "2" ? wildDash2Ids : wildDash1Ids };
    }
    const all = await listImages("wilddash", await firstFolder([join(root, "wd_val_01"), root]));
    // Instance ids and colour maps lie in the same folder: images are those that end in a frame number.
    const images = { ...all, byStem: new Map([...all.byStem].filter(([stem]) => /_\d+$/.test(stem))) };
    return { ...pairUp(images, all, { labelSuffix: "_labelIds" }), labelling: wildDash1Ids };
  },
};
