import { stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { listImages } from "../../data/datasets/files.js";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";
import { globbed, isGlob } from "./glob.js";

/** Something to look at: one image, or a video with many. */
export interface PredictInput {
  readonly kind: "image" | "video";
  readonly file: string;
  /** Where its answers go: a path without ending, with "/" between its parts. No two inputs share one. */
  readonly id: string;
}

const VIDEO = /\.(mp4|m4v|mov|mkv|avi|webm|mpe?g|wmv|flv|ogv|3gp)$/i;

/**
 * Images, videos, folders of images (with the folders in them) and patterns such as "drive/*.jpg". All of it is found now: an
 * input that is not there, or names nothing, is refused before the first image is looked at.
 */
export async function findInputs(given: readonly string[]): Promise<PredictInput[]> {
  const found: PredictInput[] = [];
  for (const one of given) {
    const inputs = await inputsOf(one);
    if (inputs.length === 0) {
      throw new UserError(`there is no image in ${printable(one)}`, {
        hint: "images, videos, folders or patterns",
      });
    }
    found.push(...inputs);
  }
  return distinct(found);
}

async function inputsOf(given: string): Promise<PredictInput[]> {
  const kind = await stat(given).catch(() => null);
  if (kind === null && isGlob(given)) return (await globbed(given)).map((file) => single(file));
  if (kind === null) {
    throw new UserError(`there is nothing at ${printable(given)}`, { hint: "is the path right?" });
  }
  if (!kind.isDirectory()) return [single(given)];
  const { byStem } = await listImages("predict", given, { deep: true });
  return [...byStem].flatMap(([id, files]) => files.map((file) => ({ kind: "image" as const, file, id })));
}

const single = (file: string): PredictInput => ({
  kind: VIDEO.test(file) ? "video" : "image",
  file,
  id: basename(file, extname(file)),
});

/** Two files of one name in different folders, or of one name and two endings, must not write over each other. */
function distinct(inputs: readonly PredictInput[]): PredictInput[] {
  const taken = new Set<string>();
  return inputs.map((input) => {
    let id = input.id;
    // Some file systems do not tell capitals from small letters.
    for (let n = 2; taken.has(id.toLowerCase()); n++) id = `${input.id}-${n}`;
    taken.add(id.toLowerCase());
    return { ...input, id };
  });
}

/** A file below a folder, from an id with "/" in it. */
export const fileOf = (folder: string, id: string, ending: string): string =>
  join(folder, ...`${id}${ending}`.split("/"));
