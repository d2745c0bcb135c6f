import { join } from "node:path";
import { UserError } from "../../../platform/errors.js";
import { kittiIds } from "../../labels/kitti.js";
import { listImages } from "../files.js";
import { driveOf, labelledDrives } from "../kittiDrives.js";
import { pairUp, unlabelledItems } from "../pairUp.js";
import type { Found, Reader } from "../reader.js";

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
  options: {
    split: "training (default, labelled); testing, road-testing, raw (unlabelled), or several of these joined by +",
  },
  async open(root, options) {
    const splits = options.choices("split", SPLITS, "training");
    if (splits.length === 1) return openSplit(root, splits[0]!);
    if (splits.includes("training")) {
      throw new UserError(`kitti: split=${splits.join("+")} joins labelled frames with unlabelled ones`, {
        hint: "name split=training alone; testing, road-testing and raw can be joined",
      });
    }
    const opened = await Promise.all(splits.map(async (split) => ({ split, found: await openSplit(root, split) })));
    return {
      // Benchmarks number their frames alike: the split keeps them apart.
      items: opened.flatMap(({ split, found }) => found.items.map((item) => ({ ...item, id: `${split}/${item.id}` }))),
      labelling: null,
      problems: opened.flatMap(({ found }) => found.problems),
    };
  },
};

const SPLITS = ["training", "testing", "road-testing", "raw"] as const;

async function openSplit(root: string, split: (typeof SPLITS)[number]): Promise<Found> {
  if (split === "training") {
    const images = await listImages("kitti", join(root, "training", "image_2"));
    const labels = await listImages("kitti", join(root, "training", "semantic"));
    return { ...pairUp(images, labels), labelling: kittiIds };
  }
  if (split !== "raw") {
    return { ...unlabelledItems(await listImages("kitti", join(root, split, "image_2"))), labelling: null };
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
  const raw = unlabelledItems(await listImages("kitti", join(root, "raw"), { deep: true }));
  // Ids have slashes on every system; paths do not.
  const items = raw.items.filter(({ id }) => {
    const drive = driveOf(id);
    return id.includes("/image_02/data/") && drive !== undefined && !tested.drives.has(drive);
  });
  return { items, labelling: null, problems: raw.problems };
}
