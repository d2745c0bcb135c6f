import { copyFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, extname, join } from "node:path";
import { z } from "zod";
import type { Dataset, Item } from "../../data/datasets/dataset.js";
import { unlabelled } from "../../data/datasets/spec.js";
import { DataError } from "../../data/images/dataError.js";
import { readBytes } from "../../data/images/readBytes.js";
import { readImage } from "../../data/images/readImage.js";
import { openDataset } from "../../data/open/openDataset.js";
import { openDevice } from "../../engine/runtime/device.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { cacheFolder } from "../../platform/cacheFolder.js";
import { UserError } from "../../platform/errors.js";
import { codeOf, FileError, makeFolder } from "../../platform/files.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import { type Computing, cancellable, type Watching } from "../../platform/watching.js";
import { certainShare, DeployedModel, type Prediction } from "../model/deployedModel.js";
import { modelFile } from "../model/modelFile.js";
import { type Candidate, chooseImages } from "./chooseImages.js";
import { CocoFile, type PreLabelled } from "./coco.js";
import { type CvatLabel, cvatLabels, labelmap, labelsJson, maskPng, writeZip } from "./cvat.js";
import { tellRoles } from "./tellRoles.js";

/** Which images to choose from, how many, and where to write them. */
export interface SelectOptions extends Watching, Omit<Computing, "command"> {
  /** Data set, as a spec; labels beside its images are not opened. */
  readonly on: string;
  readonly count: number;
  /** Folder for images.zip, annotations.zip, labels.json, coco.json and selection.json. */
  readonly to: string;
}

/** selection.json */
export const selectionFile = z.strictObject({
  version: z.literal(1),
  model: z.string(),
  gamma: z.number(),
  on: z.string(),
  classes: z.array(z.string()).min(1),
  /** In the order of choosing. */
  images: z.array(
    z.strictObject({
      /** In images/ and images.zip. */
      name: z.string().regex(/^[\w.-]+$/),
      id: z.string(),
      /** Share of pixels that are not certain. */
      uncertain: z.number().min(0).max(1),
    }),
  ),
});

/** What `select` chose. */
export type ImageSelection = z.infer<typeof selectionFile>;

/**
 * Choose images to label, uncertain ones that differ, and write them for CVAT and other labelling tools. Where the model is certain, its
 * predictions come along as annotations, so that only the rest is left to label.
 *
 * `model` is a file that `exportModel` wrote, or the folder of a run that has one.
 */
export async function selectImages(model: string, options: SelectOptions): Promise<ImageSelection> {
  const { threads = availableParallelism(), device } = options;
  const runtime = await openDevice({ threads, device });
  const file = modelFile(model);
  const opened = await DeployedModel.read(runtime, file);
  await tellRoles(dirname(file), options);
  return selectWith(opened, file, options).finally(() => opened.close());
}

/** The same with a model that is open. */
export async function selectWith(model: DeployedModel, file: string, options: SelectOptions): Promise<ImageSelection> {
  const { on, count, to, cache = cacheFolder() } = options;
  const onProgress = cancellable(options);
  const dataset = await openDataset(unlabelled(on), {
    cache,
    onProgress: (done, total) => onProgress("preparing", done, total),
  });
  if (count > dataset.items.length) {
    throw new UserError(`${on} has ${dataset.items.length} images, too few to choose ${count} of them`, {
      hint: `choose at most ${dataset.items.length}`,
      code: "bad-option",
    });
  }
  // Names that CVAT cannot have are refused before an image is looked at.
  const labels = cvatLabels(model.info.classes);
  const chosen = await chooseFrom(dataset, model, { ...options, onProgress });
  return writeSelection(to, { on: dataset.spec, file, model, labels, chosen }, onProgress);
}

type OnProgress = ReturnType<typeof cancellable>;

interface Chosen {
  readonly item: Item;
  readonly uncertain: number;
}

/** Images that cannot be read are skipped: a long drive has enough others. */
async function chooseFrom(
  { items }: Dataset,
  model: DeployedModel,
  { count, onNote, onProgress }: Pick<SelectOptions, "count" | "onNote"> & { readonly onProgress: OnProgress },
): Promise<Chosen[]> {
  const found: (Candidate & { readonly item: Item })[] = [];
  for (const [i, item] of items.entries()) {
    onProgress("looking at images", i, items.length);
    try {
      const prediction = await model.predict(await readImage(item.image));
      found.push({ item, ...candidateOf(prediction, model.info.classes.length) });
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      onNote?.(`skipped: ${error.message}`);
    }
  }
  if (found.length === 0) throw new UserError("no image could be read", { hint: "gssl inspect says what is wrong" });
  return chooseImages(found, count).map((index) => found[index]!);
}

/** What choosing looks at, of one image. */
export function candidateOf(prediction: Prediction, classes: number): Candidate {
  const { predicted: labels, certain } = prediction;
  const shares = new Float64Array(2 * classes);
  for (let i = 0; i < labels.length; i++) shares[labels[i]! + (certain[i] === 1 ? 0 : classes)]! += 1 / labels.length;
  return { uncertain: 1 - certainShare(prediction), shares };
}

/** The certain part of a prediction, void elsewhere. */
async function preLabelled(model: DeployedModel, file: string, name: string): Promise<PreLabelled> {
  const { width, height, predicted, certain } = await model.predict(await readImage(file));
  return { name, width, height, labels: predicted.map((label, i) => (certain[i] === 1 ? label : VOID_LABEL)) };
}

interface Selected {
  readonly on: string;
  readonly file: string;
  readonly model: DeployedModel;
  readonly labels: readonly CvatLabel[];
  readonly chosen: readonly Chosen[];
}

async function writeSelection(
  to: string,
  { on, file, model, labels, chosen }: Selected,
  onProgress: OnProgress,
): Promise<ImageSelection> {
  const { classes, gamma } = model.info;
  const coco = new CocoFile(classes);
  const folder = join(to, "images");
  await makeFolder(folder);
  const images: ImageSelection["images"] = [];
  const masks: [string, Uint8Array][] = [];
  for (const [i, { item, uncertain }] of chosen.entries()) {
    onProgress("writing images", i, chosen.length);
    const stem = `${String(i + 1).padStart(4, "0")}_${item.id.replace(/[^\w.-]/g, "_")}`.slice(0, 100);
    const name = `${stem}${extname(item.image).toLowerCase()}`;
    await copyFile(item.image, join(folder, name)).catch((cause: unknown) => {
      throw new FileError(join(folder, name), codeOf(cause), cause);
    });
    const image = await preLabelled(model, item.image, name);
    coco.add(image);
    masks.push([`SegmentationClass/${stem}.png`, await maskPng(image, labels)]);
    images.push({ name, id: item.id, uncertain });
  }
  const selection: ImageSelection = {
    version: 1,
    model: file,
    gamma,
    on,
    classes: classes.map(({ name }) => name),
    images,
  };
  const stems = images.map(({ name }) => name.replace(/\.\w+$/, ""));
  await writeZip(
    join(to, "images.zip"),
    images.map(({ name }) => [name, () => readBytes(join(folder, name), "image")]),
  );
  await writeZip(join(to, "annotations.zip"), [
    ["labelmap.txt", Buffer.from(labelmap(labels))],
    ["ImageSets/Segmentation/default.txt", Buffer.from(`${stems.join("\n")}\n`)],
    ...masks,
  ]);
  await writeAtomically(join(to, "labels.json"), labelsJson(labels));
  await writeAtomically(join(to, "coco.json"), coco.text);
  await writeAtomically(join(to, "selection.json"), `${JSON.stringify(selection, null, 1)}\n`);
  return selection;
}
