import { join } from "node:path";
import { UserError } from "../../../platform/errors.js";
import { kittiIds } from "../../labels/kitti.js";
import { listPictures } from "../files.js";
import { driveOf, labelledDrives } from "../kittiDrives.js";
import { pairUp, unlabelledItems } from "../pairUp.js";
import type { Reader } from "../reader.js";

/**
 * KITTI semantics 2015 and the unlabelled KITTI frames that go with it.
 *
 *   <root>/training/image_2/<id>.*   <root>/training/semantic/<id>.png     200 labelled frames
 *   <root>/testing/image_2/<id>.*                                          200 without labels
 *   <root>/road-testing/image_2/<id>.*                                     the road benchmark's, without labels
 *   <root>/raw/<date>/<date>_drive_<n>_sync/image_02/data/<frame>.*        raw drives, without labels
 *   <root>/mapping/train_mapping.txt                                       from the devkit: drives of the labelled frames
 *
 * Raw drives that a labelled frame was taken from are left out (requirement D-5), which needs the mapping.
 * https://www.cvlibs.net/datasets/kitti/eval_semseg.php?benchmark=semantics2015
 */
export const kitti: Reader = {
  name: "kitti",
  summary: "KITTI: Karlsruhe and around",
  options: { split: "training (default, labelled), testing, road-testing or raw (unlabelled)" },
  async open(root, options) {
    const split = options.choice("split", ["training", "testing", "road-testing", "raw"], "training");
    if (split === "training") {
      const photos = await listPictures("kitti", join(root, "training", "image_2"));
      const labels = await listPictures("kitti", join(root, "training", "semantic"));
      return { ...pairUp(photos, labels), labelling: kittiIds };
    }
    if (split !== "raw") {
      return { ...unlabelledItems(await listPictures("kitti", join(root, split, "image_2"))), labelling: null };
    }
    const tested = await labelledDrives(root);
    if (tested === undefined) {
      throw new UserError(
        `kitti: which drives the labelled frames come from is not known: no mapping/train_mapping.txt in ${root}`,
        {
          hint: "copy mapping/train_mapping.txt from the devkit of the scene flow or semantics benchmark there",
        },
      );
    }
    const raw = unlabelledItems(await listPictures("kitti", join(root, "raw"), { deep: true }));
    const items = raw.items.filter(({ image }) => {
      const drive = driveOf(image);
      return /\/image_02\/data\//.test(image) && drive !== undefined && !tested.drives.has(drive);
    });
    return { items, labelling: null, problems: raw.problems };
  },
};
