import { join } from "node:path";
import type { Item } from "./dataset.js";
import type { Pictures } from "./files.js";
import { type Problem, problem } from "./problem.js";

export interface Pairing {
  /** What a photo's stem ends in, `_leftImg8bit`; it is not part of the id. Other pictures are passed over. */
  readonly imageSuffix?: string;
  /** What a label map's stem ends in after the id, `_L`. Other pictures are passed over. */
  readonly labelSuffix?: string;
}

/** Photos without labels, in the order of their ids. */
export function unlabelledItems(photos: Pictures, pairing: Pairing = {}): { items: Item[]; problems: Problem[] } {
  const problems = [...photos.problems];
  const items = [...photosById(photos, pairing, problems)].map(([id, image]) => ({ id, image, labels: null }));
  return { items, problems };
}

/**
 * Photos and label maps that belong together: those with the same id. What does not add up is reported, never dropped: a photo
 * without labels keeps its place with the path its labels should have.
 */
export function pairUp(
  photos: Pictures,
  labels: Pictures,
  pairing: Pairing = {},
): { items: Item[]; problems: Problem[] } {
  const { labelSuffix = "" } = pairing;
  const problems = [...photos.problems, ...(labels.folder === photos.folder ? [] : labels.problems)];
  const images = photosById(photos, pairing, problems);
  const labelsById = new Map<string, string>();
  for (const [stem, files] of labels.byStem) {
    if (!stem.endsWith(labelSuffix)) continue;
    const id = stem.slice(0, stem.length - labelSuffix.length);
    const chosen = files.find((file) => /\.png$/i.test(file)) ?? files[0]!;
    labelsById.set(id, chosen);
    if (files.length > 1) problems.push(twice("label map", chosen, files));
    // In one folder, photos and labels differ by their suffix only: then nothing can be said about the rest.
    if (!images.has(id) && labels.folder !== photos.folder) problems.push(orphan(chosen, photos.folder));
  }
  const items = [...images].map(([id, image]) => ({
    id,
    image,
    labels: labelsById.get(id) ?? join(labels.folder, `${id}${labelSuffix}.png`),
  }));
  return { items, problems };
}

function photosById(
  { byStem }: Pictures,
  { imageSuffix = "", labelSuffix }: Pairing,
  problems: Problem[],
): Map<string, string> {
  const byId = new Map<string, string>();
  for (const [stem, files] of byStem) {
    if (!stem.endsWith(imageSuffix)) continue;
    // Photos and labels in one folder: what ends like a label map is one.
    if (labelSuffix !== undefined && labelSuffix !== "" && stem.endsWith(labelSuffix)) continue;
    byId.set(stem.slice(0, stem.length - imageSuffix.length), files[0]!);
    if (files.length > 1) problems.push(twice("photo", files[0]!, files));
  }
  return byId;
}

function twice(what: string, chosen: string, files: readonly string[]): Problem {
  const others = files.filter((file) => file !== chosen).join(", ");
  return problem(
    "error",
    "stem-twice",
    chosen,
    `${others} is a ${what} of the same name: which one is meant?`,
    "keep one",
  );
}

function orphan(file: string, folder: string): Problem {
  return problem(
    "warning",
    "label-orphan",
    file,
    `a label map without a photo in ${folder}`,
    "add the photo or remove the label map",
  );
}
