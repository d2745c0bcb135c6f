import type { LabelMap } from "../../data/images/labelPng.js";

/** An image whose pixels have the classes of the model, or VOID_LABEL where it is not certain. */
export interface PreLabelled extends LabelMap {
  /** File name. */
  readonly name: string;
}

/** Part of a COCO file; segmentations are run lengths, column by column, the first of them of pixels outside. */
interface Annotation {
  readonly id: number;
  readonly image_id: number;
  readonly category_id: number;
  readonly segmentation: { readonly size: readonly [number, number]; readonly counts: readonly number[] };
  readonly area: number;
  readonly bbox: readonly [number, number, number, number];
  readonly iscrowd: 1;
}

/** The annotations of one image: one for each class that is certain somewhere. Class 0 is category 1. */
export function annotationsOf({ width, height, labels }: PreLabelled, imageId: number, firstId: number): Annotation[] {
  const classes = [...new Set(labels)].filter((label) => label < 254).sort((a, b) => a - b);
  return classes.map((label, i) => ({
    id: firstId + i,
    image_id: imageId,
    category_id: label + 1,
    iscrowd: 1,
    ...regionOf(labels, label, width, height),
  }));
}

function regionOf(labels: Uint8Array, label: number, width: number, height: number) {
  const counts: number[] = [];
  let [inside, run, area] = [false, 0, 0];
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const is = labels[y * width + x] === label;
      if (is !== inside) {
        counts.push(run);
        run = 0;
        inside = is;
      }
      run++;
      if (!is) continue;
      area++;
      right = x;
      left = Math.min(left, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  counts.push(run);
  const bbox: [number, number, number, number] = [left, top, right - left + 1, bottom - top + 1];
  return { segmentation: { size: [height, width] as const, counts }, area, bbox };
}

/** A COCO file ("instances") that is filled image by image. */
export class CocoFile {
  readonly #categories: readonly { id: number; name: string; supercategory: "" }[];
  readonly #images: { id: number; file_name: string; width: number; height: number }[] = [];
  readonly #annotations: Annotation[] = [];

  constructor(classes: readonly { readonly name: string }[]) {
    this.#categories = classes.map(({ name }, i) => ({ id: i + 1, name, supercategory: "" }));
  }

  add(image: PreLabelled): void {
    const id = this.#images.length + 1;
    this.#images.push({ id, file_name: image.name, width: image.width, height: image.height });
    this.#annotations.push(...annotationsOf(image, id, this.#annotations.length + 1));
  }

  get text(): string {
    const info = { description: "certain predictions of gamma-ssl", version: "1" };
    const [categories, images, annotations] = [this.#categories, this.#images, this.#annotations];
    return `${JSON.stringify({ info, licenses: [], categories, images, annotations })}\n`;
  }
}
