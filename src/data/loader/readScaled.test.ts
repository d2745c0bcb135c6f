import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dataset } from "../datasets/dataset.js";
import { encodeLabels } from "../images/labelPng.js";
import { scaledTo } from "../images/scaledTo.js";
import { readScaled } from "./readScaled.js";

let folder: string;
let dataset: Dataset;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scaled-"));
  const [width, height] = [6, 4];
  // Left half black, right half white.
  const rgb = Uint8Array.from({ length: 3 * width * height }, (_, i) => (Math.floor(i / 3) % width < 3 ? 0 : 255));
  const labels = Uint8Array.from({ length: width * height }, (_, i) => i % width);
  const [image, labelFile] = [join(folder, "a.png"), join(folder, "a.labels.png")];
  await writeFile(
    image,
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  );
  await writeFile(labelFile, encodeLabels({ width, height, labels }));
  const meaning = Object.fromEntries([0, 1, 2, 3, 4, 5].map((id) => [id, id]));
  dataset = {
    spec: "test",
    items: [{ id: "a", image, labels: labelFile }],
    labelling: { classes: { name: "six", classes: [] }, rule: { kind: "ids", meaning } },
  };
});
afterAll(() => rm(folder, { recursive: true }));

test("an image of the right height is left as it is", async () => {
  const { width, height, labels } = await readScaled(dataset, dataset.items[0]!, 4);
  expect([width, height]).toEqual([6, 4]);
  expect([...labels!.subarray(0, 6)]).toEqual([0, 1, 2, 3, 4, 5]);
});

test("half the height is half the width: images are averaged, labels picked", async () => {
  const { width, height, rgb, labels } = await readScaled(dataset, dataset.items[0]!, 2);
  expect([width, height]).toEqual([3, 2]);
  const red = [0, 1, 2].map((x) => rgb[3 * x]!);
  expect(red[0]).toBeLessThan(40);
  expect(Math.abs(red[1]! - 127)).toBeLessThan(3);
  expect(red[2]).toBeGreaterThan(215);
  expect([...labels!]).toEqual([1, 3, 5, 1, 3, 5]);
});

test("an unlabelled set gives no labels, whatever lies there", async () => {
  expect((await readScaled({ ...dataset, labelling: null }, dataset.items[0]!, 2)).labels).toBeNull();
});

test("a strip is not made as high as a network sees images: its width would have no end", async () => {
  const strip = { rgb: new Uint8Array(16_384 * 16 * 3), width: 16_384, height: 16 };
  await expect(scaledTo(strip, 480, "a.png")).rejects.toThrow(
    "a.png: is 16384 x 16: at a height of 480 it would be 491520 x 480 pixels, more than 16384 along a side",
  );
});
