import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { random } from "../../../engine/tensor/random.js";
import type { Dataset, Item } from "../../datasets/dataset.js";
import { encodeLabels } from "../../images/labelPng.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../../labels/labelSpace.js";

/** Coloured blocks with a class each, written as JPEG and label PNG: enough of a data set for tests and benches. */
export async function writeDataset(
  folder: string,
  { count, width, height, labelled }: { count: number; width: number; height: number; labelled: boolean },
): Promise<Dataset> {
  await mkdir(folder, { recursive: true });
  const items: Item[] = [];
  for (let n = 0; n < count; n++) {
    const id = String(n).padStart(5, "0");
    const { rgb, labels } = blocks(n, width, height);
    const image = join(folder, `${id}.jpg`);
    await writeFile(
      image,
      await sharp(rgb, { raw: { width, height, channels: 3 } })
        .jpeg()
        .toBuffer(),
    );
    const labelFile = labelled ? join(folder, `${id}.labels.png`) : null;
    if (labelFile !== null) await writeFile(labelFile, encodeLabels({ width, height, labels }));
    items.push({ id, image, labels: labelFile });
  }
  return { spec: folder, items, labelling: labelled ? labelling : null };
}

const labelling: NonNullable<Dataset["labelling"]> = {
  classes: {
    name: "blocks",
    classes: ["road", "car", "sky"].map((name, i) => ({ name, colour: [80 * i, 90, 200] as const })),
  },
  rule: { kind: "ids", meaning: { 0: 0, 1: 1, 2: 2, 3: UNKNOWN_LABEL, 255: VOID_LABEL } },
};

function blocks(seed: number, width: number, height: number): { rgb: Uint8Array; labels: Uint8Array } {
  const { below } = random("blocks", seed);
  const side = Math.max(4, height >> 3);
  const perRow = Math.ceil(width / side);
  const cells = Array.from({ length: perRow * Math.ceil(height / side) }, () => ({
    label: below(4),
    colour: [below(256), below(256), below(256)] as const,
  }));
  const rgb = new Uint8Array(3 * width * height);
  const labels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const { label, colour } = cells[Math.floor(y / side) * perRow + Math.floor(x / side)]!;
      labels[y * width + x] = label;
      rgb.set(colour, 3 * (y * width + x));
    }
  }
  return { rgb, labels };
}
