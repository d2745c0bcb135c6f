import { readFile } from "node:fs/promises";
import { decode } from "fast-png";
import sharp from "sharp";
import { UserError } from "../../errors.js";
import type { LabelRule } from "../labels/labelSpace.js";
import type { Dataset, Item, Sample } from "./dataset.js";

/** Read one picture of a data set, and its labels if the set has any. */
export async function readSample(dataset: Dataset, item: Item): Promise<Sample> {
  const { data, info } = await open(item.image, (bytes) =>
    sharp(bytes).autoOrient().removeAlpha().toColourspace("srgb").raw().toBuffer({ resolveWithObject: true }),
  );
  const { width, height } = info;
  const rgb = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (dataset.labelling === null || item.labels === null) return { id: item.id, width, height, rgb, labels: null };

  const map = await open(item.labels, async (bytes) => decode(bytes));
  if (map.width !== width || map.height !== height) {
    throw new UserError(
      `${item.labels} is ${map.width} x ${map.height}, but its picture ${item.image} is ${width} x ${height}`,
      { hint: "labels and picture must have the same size" },
    );
  }
  const labels = meanings(item.labels, dataset.labelling.rule, map);
  return { id: item.id, width, height, rgb, labels };
}

async function open<T>(path: string, decoder: (bytes: Buffer) => Promise<T>): Promise<T> {
  try {
    return await decoder(await readFile(path));
  } catch (cause) {
    throw new UserError(`cannot read ${path}: ${cause instanceof Error ? cause.message : cause}`, {
      hint: "has it been moved or changed since the data set was opened?",
      cause,
    });
  }
}

function meanings(path: string, { kind, meaning }: LabelRule, map: ReturnType<typeof decode>): Uint8Array {
  const { data, channels } = map;
  return Uint8Array.from({ length: map.width * map.height }, (_, i) => {
    const value = kind === "ids" ? String(data[i * channels]) : colour(data.slice(i * channels, i * channels + 3));
    const label = meaning[value];
    if (label === undefined) throw new UserError(`${path}: ${value} at pixel ${i} means nothing`);
    return label;
  });
}

const colour = (rgb: Iterable<number>): string => Array.from(rgb, (c) => c.toString(16).padStart(2, "0")).join("");
