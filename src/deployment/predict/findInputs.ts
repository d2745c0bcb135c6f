import { stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { listImages } from "../../data/datasets/files.js";
import { framesOf, mcap } from "../../data/datasets/readers/mcap.js";
import { parseSpec, type Spec } from "../../data/datasets/spec.js";
import { type Frame, ImageLog } from "../../data/logs/imageLog.js";
import { readOptions, selected } from "../../data/open/openDataset.js";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";
import { globbed, isGlob } from "./glob.js";

interface InputFile {
  readonly file: string;
  /** Where its answers go: a path without ending, with "/" between its parts. No two inputs share one. */
  readonly id: string;
}

/** Something to look at: one image, or a video or a robot's log with many. */
export type PredictInput =
  | (InputFile & { readonly kind: "image" | "video" })
  | (InputFile & { readonly kind: "log"; readonly topic: string; readonly frames: readonly Frame[] });

const VIDEO = /\.(mp4|m4v|mov|mkv|avi|webm|mpe?g|wmv|flv|ogv|3gp)$/i;

/**
 * Images, videos, robot logs (a file, or a part of it: "mcap:drive.mcap?topic=/camera/image&every=10"), folders of images (with the folders
 * in them) and patterns such as "drive/*.jpg". All of it is found now: an
 * input that is not there, or names nothing, is refused before the first image is looked at.
 */
export async function findInputs(given: readonly string[]): Promise<PredictInput[]> {
  const found: PredictInput[] = [];
  for (const one of given) {
    const inputs = await inputsOf(one);
    if (inputs.length === 0) {
      throw new UserError(`there is no image in ${printable(one)}`, {
        hint: "images, videos, robot logs, folders or patterns",
      });
    }
    found.push(...inputs);
  }
  return distinct(found);
}

async function inputsOf(given: string): Promise<PredictInput[]> {
  if (given.startsWith("mcap:")) return [await logInput(parseSpec(given))];
  const kind = await stat(given).catch(() => null);
  if (kind === null && isGlob(given)) return Promise.all((await globbed(given)).map((file) => single(file)));
  if (kind === null) {
    throw new UserError(`there is nothing at ${printable(given)}`, { hint: "is the path right?" });
  }
  if (!kind.isDirectory()) return [await single(given)];
  const { byStem } = await listImages("predict", given, { deep: true });
  return [...byStem].flatMap(([id, files]) => files.map((file) => ({ kind: "image" as const, file, id })));
}

async function single(file: string): Promise<PredictInput> {
  if (/\.mcap$/i.test(file)) return logInput({ path: file, options: new Map() });
  return { kind: VIDEO.test(file) ? "video" : "image", file, id: basename(file, extname(file)) };
}

/** The images of a log that a spec names: the options are those of the data set. */
async function logInput({ path, options }: Pick<Spec, "path" | "options">): Promise<PredictInput> {
  const given = readOptions(mcap, options);
  const images = await ImageLog.open(path);
  const { topic, frames } = await framesOf(images, given).finally(() => images.close());
  return { kind: "log", file: path, id: basename(path, extname(path)), topic, frames: selected(frames, given) };
}

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
