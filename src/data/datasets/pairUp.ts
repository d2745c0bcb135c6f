import { join } from "node:path";
import type { Item } from "./dataset.js";
import type { Images } from "./files.js";
import { type Problem, problem } from "./problem.js";

export interface Pairing {
  /** What an image's stem ends in, `_leftImg8bit`; it is not part of the id. Other images are passed over. */
  readonly imageSuffix?: string;
  /** What a label map's stem ends in after the id, `_L`. Other images are passed over. */
  readonly labelSuffix?: string;
}

/** Images without labels, in the order of their ids. */
export function unlabelledItems(images: Images, pairing: Pairing = {}): { items: Item[]; problems: Problem[] } {
  const problems = [...images.problems];
  const items = [...imagesById(images, pairing, problems)].map(([id, image]) => ({ id, image, labels: null }));
  return { items, problems };
}

/**
 * Images and label maps that belong together: those with the same id. What does not add up is reported, never dropped: an image
 * without labels keeps its place with the path its labels should have.
 */
export function pairUp(images: Images, labels: Images, pairing: Pairing = {}): { items: Item[]; problems: Problem[] } {
  const { labelSuffix = "" } = pairing;
  const problems = [...images.problems, ...(labels.folder === images.folder ? [] : labels.problems)];
  const imageOf = imagesById(images, pairing, problems);
  const labelsById = new Map<string, string>();
  for (const [stem, files] of labels.byStem) {
    if (!stem.endsWith(labelSuffix)) continue;
    const id = stem.slice(0, stem.length - labelSuffix.length);
    const chosen = files.find((file) => /\.png$/i.test(file)) ?? files[0]!;
    labelsById.set(id, chosen);
    if (files.length > 1) problems.push(twice("a label map", chosen, files));
    // In one folder, images and labels differ by their suffix only: then nothing can be said about the rest.
    if (!imageOf.has(id) && labels.folder !== images.folder) problems.push(orphan(chosen, images.folder));
  }
  const items = [...imageOf].map(([id, image]) => ({
    id,
    image,
    labels: labelsById.get(id) ?? join(labels.folder, `${id}${labelSuffix}.png`),
  }));
  return { items, problems };
}

function imagesById(
  { byStem }: Images,
  { imageSuffix = "", labelSuffix }: Pairing,
  problems: Problem[],
): Map<string, string> {
  const byId = new Map<string, string>();
  for (const [stem, files] of byStem) {
    if (!stem.endsWith(imageSuffix)) continue;
    // Images and labels in one folder: what ends like a label map is one.
    if (labelSuffix !== undefined && labelSuffix !== "" && stem.endsWith(labelSuffix)) continue;
    byId.set(stem.slice(0, stem.length - imageSuffix.length), files[0]!);
    if (files.length > 1) problems.push(twice("an image", files[0]!, files));
  }
  return byId;
}

function twice(what: string, chosen: string, files: readonly string[]): Problem {
  const others = files.filter((file) => file !== chosen).join(", ");
  return problem(
    "error",
    "stem-twice",
    chosen,
    `${others} is ${what} of the same name: which one is meant?`,
    "keep one",
  );
}

function orphan(file: string, folder: string): Problem {
  return problem(
    "warning",
    "label-orphan",
    file,
    `a label map without an image in ${folder}`,
    "add the image or remove the label map",
  );
}
