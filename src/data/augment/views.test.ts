import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { random } from "../../engine/tensor/random.js";
import { type Draw, labelledView } from "./labelledView.js";
import { pairOfViews } from "./pairOfViews.js";
import type { ViewOptions } from "./view.js";

const [height, width] = [32, 48];
const view: ViewOptions = {
  height: 40,
  crop: [height, width],
  scale: [0.6, 1.4],
  flip: 0.5,
  local: { chance: 0.5, side: [0.4, 0.9] },
  colour: "off",
};
const strong: ViewOptions = {
  ...view,
  colour: { disturb: true, jitter: { brightness: 0.3, contrast: 0.3, saturation: 0.3, hue: 0.3 } },
};
const drawing =
  (sample: number): Draw =>
  (purpose) =>
    random(0, 0, "test", sample, purpose);

/** Waves, as smooth as bytes can be. */
const smooth = (rows: number, columns: number) => ({
  height: rows,
  width: columns,
  rgb: Uint8Array.from({ length: 3 * rows * columns }, (_, i) => {
    const [y, x] = [Math.floor(i / 3 / columns), Math.floor(i / 3) % columns];
    return Math.round(127 + 100 * Math.sin(x / 9 + (i % 3)) * Math.cos(y / 7));
  }),
});

/** rows x image x columnsᵀ, for one channel after the other. */
function aligned(image: Float32Array, rows: Float32Array, columns: Float32Array): Float32Array {
  const result = new Float32Array(image.length);
  for (let channel = 0; channel < 3; channel++) {
    const at = channel * height * width;
    const wide = new Float64Array(height * width);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let k = 0; k < width; k++) wide[y * width + x]! += image[at + y * width + k]! * columns[x * width + k]!;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let k = 0; k < height; k++) result[at + y * width + x]! += rows[y * height + k]! * wide[k * width + x]!;
  }
  return result;
}

function pair(sample: number, options: ViewOptions, [rows, columns]: readonly [number, number]) {
  const images = { first: new Float32Array(3 * height * width), second: new Float32Array(3 * height * width) };
  const matching = pairOfViews(smooth(rows, columns), options, 1, drawing(sample), images);
  return { images, ...matching };
}

test("A-2: without colours, two views laid on each other agree wherever both see the image, for 60 draws", () => {
  let compared = 0;
  for (let sample = 0; sample < 60; sample++) {
    // Every other image is smaller than the crop, and padded.
    const { images, first, second, valid } = pair(sample, view, sample % 2 ? [40, 60] : [24, 60]);
    const one = aligned(images.first, first.rows, first.columns);
    const other = aligned(images.second, second.rows, second.columns);
    for (let i = 0; i < one.length; i++) {
      if (valid[i % (height * width)] === 0) continue;
      if (Math.abs(one[i]! - other[i]!) >= 1e-3) expect.fail(`draw ${sample}: ${one[i]} and ${other[i]} at ${i}`);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(60 * height * width);
});

test("A-1: one view of each pair is cut, the first as often as the second", () => {
  const identity = (matrix: Float32Array, pixels: number): boolean =>
    matrix.every((weight, i) => weight === (i % (pixels + 1) === 0 ? 1 : 0));
  let firstIsCut = 0;
  for (let sample = 0; sample < 200; sample++) {
    const { first, second } = pair(sample, view, [40, 60]);
    // The cut view stays as it is; the other is taken through the same cut.
    expect(identity(first.rows, height)).toBe(!identity(second.rows, height));
    expect(identity(first.columns, width)).toBe(identity(first.rows, height));
    if (identity(first.rows, height)) firstIsCut++;
  }
  expect(firstIsCut / 200).toBeCloseTo(0.5, 1);
});

test("A-6: the two views have colours of their own, and colours leave the geometry alone", () => {
  const [plain, coloured] = [pair(1, view, [40, 60]), pair(1, strong, [40, 60])];
  expect(coloured.first.rows).toEqual(plain.first.rows);
  expect(coloured.valid).toEqual(plain.valid);
  const shift = (name: "first" | "second") => coloured.images[name].map((value, i) => value - plain.images[name][i]!);
  const mean = (values: Float32Array): number => values.reduce((a, b) => a + b, 0) / values.length;
  expect(Math.abs(mean(shift("first")) - mean(shift("second")))).toBeGreaterThan(0.01);
});

test("A-3: a labelled view is cut by chance, and unknown things and padding become void", () => {
  const labelled = { ...smooth(24, 60), labels: new Uint8Array(24 * 60).fill(7) };
  labelled.labels.fill(254, 0, 12 * 60);
  const image = new Float32Array(3 * height * width);
  const labels = labelledView(labelled, view, drawing(4), image);
  expect(new Set(labels)).toEqual(new Set([7, 255]));
  const cut = (chance: number) => {
    const seen = new Float32Array(image.length);
    labelledView(labelled, { ...view, local: { ...view.local, chance } }, drawing(4), seen);
    return seen;
  };
  expect(cut(0)).not.toEqual(cut(1));
});

test("views are normalised as for ImageNet", () => {
  const grey = { height: 40, width: 60, rgb: new Uint8Array(3 * 40 * 60).fill(255), labels: new Uint8Array(40 * 60) };
  const image = new Float32Array(3 * height * width);
  labelledView(grey, view, drawing(0), image);
  expect(image[0]).toBeCloseTo((1 - 0.485) / 0.229, 5);
  expect(image[height * width]).toBeCloseTo((1 - 0.456) / 0.224, 5);
  expect(image[2 * height * width]).toBeCloseTo((1 - 0.406) / 0.225, 5);
});

test("A-7: views do not change between versions: runs depend on them", () => {
  const hash = createHash("sha256");
  for (let sample = 0; sample < 40; sample++) {
    const { images, first, second, valid } = pair(sample, strong, [40, 60]);
    for (const { buffer } of [images.first, images.second, first.rows, second.columns, valid]) {
      hash.update(new Uint8Array(buffer));
    }
  }
  expect(hash.digest("hex").slice(0, 16)).toMatchInlineSnapshot(`"193240a39ad2c45b"`);
});
