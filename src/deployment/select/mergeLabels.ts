import { copyFile, link, readdir } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { formatClasses } from "../../data/datasets/classesFile.js";
import { classesOf } from "../../data/datasets/classesOf.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import { nameOf } from "../../data/datasets/files.js";
import { mustFit, readRawLabels } from "../../data/datasets/readLabels.js";
import { readSample } from "../../data/datasets/readSample.js";
import { encodeLabels, type LabelMap } from "../../data/images/labelPng.js";
import { readBytes } from "../../data/images/readBytes.js";
import { tryImage } from "../../data/images/readImage.js";
import { applyRule } from "../../data/labels/applyRule.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../../data/labels/labelSpace.js";
import { openDataset } from "../../data/open/openDataset.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { cacheFolder } from "../../platform/cacheFolder.js";
import { UserError } from "../../platform/errors.js";
import { codeOf, FileError, makeFolder } from "../../platform/files.js";
import { readJson } from "../../platform/json.js";
import { printable } from "../../platform/printable.js";
import { cancellable, type Watching } from "../../platform/watching.js";
import { inOrderOf, openCvatExport } from "./cvatExport.js";
import { selectionFile } from "./selectImages.js";

/** What was labelled, and what to add it to. */
export interface MergeOptions extends Omit<Watching, "onNote"> {
  /** Folder that `selectImages` wrote. */
  readonly selection: string;
  /** Labelled data set that the images are added to, as a spec. */
  readonly source: string;
  /** A new folder. */
  readonly to: string;
  /** Labels that are no class of the source: things that fit none of its classes. */
  readonly unknown?: readonly string[] | undefined;
  /** Where drawn scenes and images of logs are kept; ~/.cache/gamma-ssl when left out. */
  readonly cache?: string | undefined;
}

/** The data set that was written. */
export interface MergedLabels {
  /** As a spec, for `train`. */
  readonly spec: string;
  /** Images of the source, and those added to them. */
  readonly source: number;
  readonly added: number;
  /** Images of the selection that nobody has labelled yet. */
  readonly unlabelled: readonly string[];
}

/**
 * Add images that were labelled in CVAT to a labelled data set. The result is one folder with a classes.json: images of both (those of the
 * source are hard links where the disk allows), and label maps of class ids. Neither the source nor the selection is changed.
 */
export async function mergeLabels(labelled: string, options: MergeOptions): Promise<MergedLabels> {
  const { selection: folder, source: spec, to, unknown = [], cache = cacheFolder() } = options;
  const onProgress = cancellable(options);
  await requireEmpty(to);
  const selection = await readJson(join(folder, "selection.json"), {
    schema: selectionFile,
    hint: "name the folder that gssl select wrote",
  });
  const source = await openDataset(spec, { cache });
  if (source.labelling === null) {
    throw new UserError(`${source.spec} has no labels, so that nothing can be added to them`, {
      hint: "name the labelled data set that is trained on",
    });
  }
  const made = await openCvatExport(labelled);
  const rule = inOrderOf(made.labelling, classesOf(source), unknown, labelled);
  const maps: { readonly name: string; readonly map: LabelMap }[] = [];
  const unlabelled: string[] = [];
  for (const { name } of selection.images) {
    const mask = made.masks.get(nameOf(withoutEnding(name)));
    const file = join(folder, "images", name);
    const map = mask && applyRule(await rawLabels(mask, file), rule, mask.file);
    // Unlabelled pixels are exported as background, if at all.
    if (map === undefined || map.labels.every((label) => label === VOID_LABEL)) unlabelled.push(name);
    else maps.push({ name, map });
  }
  if (maps.length === 0) {
    throw new UserError(`${printable(labelled)}: has no labels of an image of ${printable(folder)}`, {
      hint: "is it the export of that selection? masks have the names of its images",
    });
  }
  // Everything that can be wrong with the new labels was found by now.
  await copySource(source, to, onProgress);
  for (const { name, map } of maps) {
    await place(join(folder, "images", name), join(to, "images", "selected", name), copyFile);
    await writeLabels(join(to, "labels", "selected", `${withoutEnding(name)}.png`), map);
  }
  const { classes } = source.labelling.classes;
  const others = { unknown: [UNKNOWN_LABEL], void: [VOID_LABEL] };
  await writeAtomically(join(to, "classes.json"), formatClasses("merged", classes, others));
  return {
    spec: `folder:${to}?images=images&labels=labels`,
    source: source.items.length,
    added: maps.length,
    unlabelled,
  };
}

const withoutEnding = (name: string): string => name.slice(0, name.length - extname(name).length);

async function rawLabels(mask: { readonly file: string; read(): Promise<Uint8Array> }, image: string) {
  const header = await tryImage(await readBytes(image, "image"), image);
  return readRawLabels(await mask.read(), mask.file, mustFit(header, mask.file, image));
}

async function copySource(
  source: Dataset,
  to: string,
  onProgress: (what: string, done: number, total: number) => void,
): Promise<void> {
  for (const [i, item] of source.items.entries()) {
    onProgress("adding images of the source", i, source.items.length);
    const { labels, width, height } = await readSample(source, item);
    const image = join(to, "images", "source", `${item.id}${extname(item.image).toLowerCase()}`);
    await place(item.image, image, (from, file) => link(from, file).catch(() => copyFile(from, file)));
    await writeLabels(join(to, "labels", "source", `${item.id}.png`), { labels: labels!, width, height });
  }
}

async function place(from: string, to: string, copy: (from: string, to: string) => Promise<void>): Promise<void> {
  await makeFolder(dirname(to));
  await copy(from, to).catch((cause: unknown) => {
    throw new FileError(to, codeOf(cause), cause);
  });
}

async function writeLabels(file: string, map: LabelMap): Promise<void> {
  await makeFolder(dirname(file));
  await writeAtomically(file, encodeLabels(map));
}

async function requireEmpty(folder: string): Promise<void> {
  const there = await readdir(folder).catch(() => []);
  if (there.length === 0) return;
  throw new UserError(`${printable(folder)} has files in it already`, { hint: "choose a new folder" });
}
