import sharp from "sharp";
import { UserError } from "../../platform/errors.js";
import type { DatasetCheck } from "../datasets/checkDataset.js";
import type { Dataset, Item, Sample } from "../datasets/dataset.js";
import type { Problem } from "../datasets/problem.js";
import { readSample } from "../datasets/readSample.js";
import { meaningName } from "../labels/checkLabelling.js";
import { type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "../labels/labelSpace.js";
import { contactSheetPage, type SheetImage, type SheetSet } from "./contactSheetPage.js";

/** Thumbnails are at most this wide. */
const WIDTH = 640;

type Colour = readonly [number, number, number];

/** Not a class: unknown things are white, void is black. */
const UNKNOWN_COLOUR: Colour = [255, 255, 255];
const VOID_COLOUR: Colour = [0, 0, 0];

/**
 * One HTML page to look at data sets with: some images of each with their labels over them, shares of the classes, and what is
 * wrong. It holds everything it needs and can be mailed.
 */
export async function contactSheet(
  sets: readonly { readonly dataset: Dataset; readonly check: DatasetCheck }[],
  leaks: readonly Problem[],
  { images }: { readonly images: number },
): Promise<string> {
  const shown: SheetSet[] = [];
  for (const { dataset, check } of sets) {
    const { labelling } = dataset;
    const thumbnails: SheetImage[] = [];
    for (const item of chosen(dataset, check, images)) {
      const sample = await readWhatCan(dataset, item);
      if (sample !== undefined) thumbnails.push(await thumbnail(sample, labelling, check.problems, item));
    }
    const colours = [...(labelling?.classes.classes.map(({ colour }) => colour) ?? []), UNKNOWN_COLOUR, VOID_COLOUR];
    const shares = check.labelled ? [...check.classes, check.unknown, check.void] : [];
    shown.push({
      check,
      labels: labelling?.classes.name,
      legend: shares.map((share, i) => ({ ...share, colour: colours[i]! })),
      images: thumbnails,
    });
  }
  return contactSheetPage(shown, leaks);
}

/** An image with its labels; without, if they cannot be read; or nothing. What is wrong is among the problems already. */
async function readWhatCan(dataset: Dataset, item: Item): Promise<Sample | undefined> {
  for (const labels of item.labels === null ? [null] : [item.labels, null]) {
    try {
      return await readSample(dataset, { ...item, labels });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
  return undefined;
}

/** Images with problems first, a third at most; then evenly through the set. */
function chosen({ items }: Dataset, { problems }: DatasetCheck, count: number): Item[] {
  const files = new Set(problems.map(({ file }) => file));
  const odd = items.filter(({ image, labels }) => files.has(image) || (labels !== null && files.has(labels)));
  const picked = new Set(odd.slice(0, Math.ceil(count / 3)));
  const step = Math.max(1, items.length / Math.max(1, count - picked.size));
  for (let i = 0; i < items.length && picked.size < count; i += step) picked.add(items[Math.floor(i)]!);
  for (let i = 0; i < items.length && picked.size < count; i++) picked.add(items[i]!);
  return [...picked];
}

async function thumbnail(
  { id, width, height, rgb, labels }: Sample,
  labelling: Labelling | null,
  problems: readonly Problem[],
  item: Item,
): Promise<SheetImage> {
  const size = { width: Math.min(width, WIDTH) };
  const raw = { raw: { width, height, channels: 3 } } as const;
  const image = await sharp(rgb, raw).resize(size).jpeg({ quality: 78 }).toBuffer();
  const painted =
    labels === null || labelling === null
      ? undefined
      : await sharp(paint(labels, labelling), raw)
          .resize({ ...size, kernel: "nearest" })
          .png({ compressionLevel: 9 })
          .toBuffer();
  return {
    id,
    width,
    height,
    image: dataUri("jpeg", image),
    labels: painted === undefined ? undefined : dataUri("png", painted),
    holds: labels === null || labelling === null ? "" : mostly(labels, labelling),
    problems: problems.filter(({ file }) => file === item.image || file === item.labels),
  };
}

function paint(labels: Uint8Array, { classes }: Labelling): Uint8Array {
  const rgb = new Uint8Array(labels.length * 3);
  const colours = new Uint8Array(256 * 3);
  for (const [place, { colour }] of classes.classes.entries()) colours.set(colour, 3 * place);
  colours.set(UNKNOWN_COLOUR, 3 * UNKNOWN_LABEL);
  colours.set(VOID_COLOUR, 3 * VOID_LABEL);
  for (let i = 0; i < labels.length; i++) {
    const from = 3 * labels[i]!;
    rgb[3 * i] = colours[from]!;
    rgb[3 * i + 1] = colours[from + 1]!;
    rgb[3 * i + 2] = colours[from + 2]!;
  }
  return rgb;
}

/** The three commonest meanings of an image, for its caption. */
function mostly(labels: Uint8Array, labelling: Labelling): string {
  const counts = new Uint32Array(256);
  for (const label of labels) counts[label]!++;
  return [...counts.keys()]
    .filter((meaning) => counts[meaning]! > 0)
    .sort((a, b) => counts[b]! - counts[a]!)
    .slice(0, 3)
    .map(
      (meaning) => `${meaningName(labelling, meaning)} ${Math.round((100 * counts[meaning]!) / labels.length)}\u00a0%`,
    )
    .join(", ");
}

function dataUri(kind: "jpeg" | "png", bytes: Buffer): string {
  return `data:image/${kind};base64,${bytes.toString("base64")}`;
}
