import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { UserError } from "../../platform/errors.js";
import { readJsonIfThere } from "../../platform/json.js";
import { printable } from "../../platform/printable.js";
import { CLASSES_FILES } from "./classesFile.js";
import { exists, isFolder } from "./files.js";

const inside = z.string().regex(/^(?!\/)(?!.*(^|[\\/])\.\.([\\/]|$))(?![A-Za-z]:)/, "wanted a path below the folder");

/** dataset.json: what a spec of the folder need not say. */
const layoutSchema = z.strictObject({
  images: inside.optional(),
  labels: inside.optional(),
  classes: inside.optional(),
  "image-suffix": z.string().optional(),
  "label-suffix": z.string().optional(),
  /** Every so many images are held out: split=val; the others are split=train. */
  heldOut: z.int().min(2).optional(),
});
export type FolderLayout = z.infer<typeof layoutSchema>;

const form = { schema: layoutSchema, hint: "docs/data.md shows the form of a dataset.json" };

/** What people call a folder of images, and one of label maps. */
const imageNames = ["img", "imgs", "image", "images", "rgb", "frames"];
const labelNames = ["gt", "label", "labels", "mask", "masks", "annotations"];

interface LayoutOptions {
  /** Labels are not to be opened. */
  readonly blind: boolean;
  /** Whether folders are looked for where no dataset.json names them. */
  readonly detect: boolean;
}

/**
 * Where the images and label maps of a folder lie: as its dataset.json says, else one folder of images beside one of label maps. Label maps
 * that nothing explains are not taken for any.
 */
export async function folderLayout(root: string, { blind, detect }: LayoutOptions): Promise<FolderLayout> {
  const written = (await readJsonIfThere(join(root, "dataset.json"), form)) ?? {};
  if (!detect || written.images !== undefined || written.labels !== undefined) return written;
  if (await exists(join(root, "run.json"))) {
    throw new UserError(`${printable(root)} is a run folder, not a data set`, {
      hint: "gssl watch shows a run; gssl evaluate measures it on a data set",
    });
  }
  const inside = await readdir(root).catch(() => [] as string[]);
  const called = async (names: readonly string[]): Promise<string | undefined> => {
    const found = inside.filter((name) => names.includes(name.toLowerCase()));
    return found.length === 1 && (await isFolder(join(root, found[0]!))) ? found[0] : undefined;
  };
  const [images, labels] = [await called(imageNames), await called(labelNames)];
  if (images === undefined || labels === undefined) return written;
  if (blind) return { ...written, images };
  const explained = written.classes !== undefined || CLASSES_FILES.some((name) => inside.includes(name));
  return explained ? { ...written, images, labels } : written;
}
