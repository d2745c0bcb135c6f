import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isFolder, listImages, nameOf } from "../../data/datasets/files.js";
import { MOST_LABELMAP, parseLabelmap } from "../../data/datasets/labelmap.js";
import { type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "../../data/labels/labelSpace.js";
import { openArchive } from "../../networks/weights/zip.js";
import { UserError } from "../../platform/errors.js";
import { readRegularFile } from "../../platform/files.js";
import { printable } from "../../platform/printable.js";

/** What was exported from CVAT as "Segmentation mask 1.1". */
export interface CvatExport {
  readonly labelling: Labelling;
  /** Masks by the name of their image, without ending. */
  readonly masks: ReadonlyMap<string, { readonly file: string; read(): Promise<Uint8Array> }>;
}

const HINT = 'export the task from CVAT as "Segmentation mask 1.1"';
/** Masks of one colour pack very well, twice. */
const MOST_RATIO = 1032;
/** A mask in the largest size that is read, in three channels, without any packing. */
const MOST_MASK = 2 ** 28;
const MASK = /^SegmentationClass\/([^/]+)\.png$/;

/** Open an export: the zip that CVAT gives, or the folder it was unpacked to. */
export async function openCvatExport(path: string): Promise<CvatExport> {
  const found = (await isFolder(path)) ? await fromFolder(path) : await fromZip(path);
  if (found.masks.size > 0) return found;
  throw new UserError(`${printable(path)}: has no masks in SegmentationClass/`, { hint: HINT });
}

async function fromFolder(path: string): Promise<CvatExport> {
  const labelmap = join(path, "labelmap.txt");
  if ((await stat(labelmap).catch(() => undefined)) === undefined) throw withoutLabelmap(path);
  const { byStem } = await listImages("merge", join(path, "SegmentationClass"));
  const masks = [...byStem].map(
    ([stem, [file]]) => [stem, { file: file!, read: () => readRegularFile(file!) }] as const,
  );
  return {
    labelling: parseLabelmap((await readRegularFile(labelmap, MOST_LABELMAP)).toString("utf8"), labelmap),
    masks: new Map(masks),
  };
}

async function fromZip(path: string): Promise<CvatExport> {
  const refuse = (why: string): never => {
    throw new UserError(`${printable(path)}: ${why}`, { hint: HINT });
  };
  const archive = await openArchive(await readRegularFile(path), refuse, { ratio: MOST_RATIO });
  const text = await archive.read("labelmap.txt", MOST_LABELMAP);
  if (text === undefined) throw withoutLabelmap(path);
  const masks = archive.names.flatMap((name) => {
    const stem = MASK.exec(name)?.[1];
    const read = async (): Promise<Uint8Array> => (await archive.read(name, MOST_MASK))!;
    return stem === undefined ? [] : [[nameOf(stem), { file: `${path}/${name}`, read }] as const];
  });
  const labelling = parseLabelmap(new TextDecoder().decode(text), `${path}/labelmap.txt`);
  return { labelling, masks: new Map(masks) };
}

const withoutLabelmap = (path: string): UserError =>
  new UserError(`${printable(path)}: has no labelmap.txt`, { hint: `${HINT}; ${basename(path)} is something else` });

/**
 * The labels of an export in the order of a class list, by name. Labels that are not in the list must be named as unknown: a label with a
 * typing error would otherwise be lost silently.
 */
export function inOrderOf(
  { classes, rule }: Labelling,
  wanted: readonly string[],
  unknown: readonly string[],
  file: string,
): Labelling["rule"] {
  const places = classes.classes.map(({ name }) => {
    const place = wanted.indexOf(name);
    if (place >= 0) return place;
    if (unknown.includes(name)) return UNKNOWN_LABEL;
    throw new UserError(`${printable(file)}: the label "${printable(name)}" is no class of the source`, {
      hint: `its classes are ${wanted.map(printable).join(", ")}; for things that fit none of them: --unknown ${printable(name)}`,
    });
  });
  const meaning = Object.entries(rule.meaning).map(([value, place]) => [
    value,
    place === VOID_LABEL ? VOID_LABEL : places[place]!,
  ]);
  return { ...rule, meaning: Object.fromEntries(meaning) };
}
