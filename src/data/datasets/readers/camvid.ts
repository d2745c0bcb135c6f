import { join } from "node:path";
import { camvidColours, camvidColoursAsCityscapes, camvidIds, camvidIdsAsCityscapes } from "../../labels/camvid.js";
import type { Item } from "../dataset.js";
import { isFolder, listImages } from "../files.js";
import { pairUp } from "../pairUp.js";
import type { Problem } from "../problem.js";
import type { Reader } from "../reader.js";
import { keepListed, type ListEntry, readList } from "../readList.js";

const SPLITS = ["train", "val", "test"] as const;

/** The sequence that was filmed at dusk; all others were by day. */
const DUSK = "0001TP";

/**
 * CamVid, in either of the layouts it goes about in.
 *
 *   official   <root>/701_StillsRaw_full/<id>.*   <root>/LabeledApproved_full/<id>_L.png   colours of 32 labels
 *              <root>/train.txt, val.txt, test.txt list the ids of a split
 *   SegNet's   <root>/<split>/<id>.png   <root>/<split>annot/<id>.png                      ids 0 to 10, 11 void
 *
 * http://mi.eng.cam.ac.uk/research/projects/VideoRec/CamVid/
 */
export const camvid: Reader = {
  name: "camvid",
  summary: "CamVid, Cambridge by day and at dusk",
  options: {
    sequence: "day, dusk, or the beginning of the ids, such as 0006R0 (all of them when left out)",
    split: "train, val, test, or several joined by + (all when left out)",
    classes: "camvid11 (default) or cityscapes",
  },
  async open(root, options) {
    const classes = options.choice("classes", ["camvid11", "cityscapes"], "camvid11");
    const splits = options.has("split") ? options.choices("split", SPLITS, "train") : undefined;
    const sequence = options.text("sequence");
    const official = await isFolder(join(root, "701_StillsRaw_full"));
    const { items, problems } = official ? await openOfficial(root, splits) : await openSegnet(root, splits ?? SPLITS);
    const kept = items.filter(({ id }) =>
      sequence === undefined
        ? true
        : sequence === "day"
          ? !id.startsWith(DUSK)
          : id.startsWith(sequence === "dusk" ? DUSK : sequence),
    );
    const labelling = official
      ? { camvid11: camvidColours, cityscapes: camvidColoursAsCityscapes }[classes]
      : { camvid11: camvidIds, cityscapes: camvidIdsAsCityscapes }[classes];
    return { items: kept, labelling, problems };
  },
};

interface Listed {
  readonly items: Item[];
  readonly problems: Problem[];
}

async function openOfficial(root: string, splits: readonly string[] | undefined): Promise<Listed> {
  const images = await listImages("camvid", join(root, "701_StillsRaw_full"));
  const labels = await listImages("camvid", join(root, "LabeledApproved_full"));
  const all = pairUp(images, labels, { labelSuffix: "_L" });
  if (splits === undefined) return all;
  const entries: ListEntry[] = [];
  for (const split of splits) entries.push(...(await readList("camvid", root, [`${split}.txt`])));
  const listed = keepListed(all.items, entries);
  return { items: listed.items, problems: [...all.problems, ...listed.problems] };
}

async function openSegnet(root: string, splits: readonly string[]): Promise<Listed> {
  const found: Listed = { items: [], problems: [] };
  for (const split of splits) {
    const images = await listImages("camvid", join(root, split));
    const labels = await listImages("camvid", join(root, `${split}annot`));
    const { items, problems } = pairUp(images, labels);
    found.items.push(...items);
    found.problems.push(...problems);
  }
  return found;
}
