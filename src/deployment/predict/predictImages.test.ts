import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bomb } from "../../../test/dirtyData.js";
import { testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { predictImages } from "./predictImages.js";
import { fakeModel } from "./testing/fakeModel.js";

async function predicted(root: string, values: { class: number; certain: number; similarity?: number }) {
  const image = await testImage(48, 32).png().toBuffer();
  await writeFiles(root, { "a.png": image, "b.png": Buffer.from("broken"), "c.png": image });
  const inputs = ["a", "b", "c"].map((id) => ({ kind: "image" as const, id, file: join(root, `${id}.png`) }));
  return predictImages({ model: await fakeModel(values), name: "m.onnx", inputs, to: join(root, "out") });
}

test("a broken image is passed over by name", () =>
  withFolder(async (root) => {
    const { images, skipped } = await predicted(root, { class: 0, certain: 1 });
    expect(images.map(({ id, certain }) => [id, certain])).toEqual([
      ["a", 1],
      ["c", 1],
    ]);
    expect(skipped.map(({ file }) => file)).toEqual([join(root, "b.png")]);
  }));

test("an image of more pixels than there is memory for is passed over from its header", () =>
  withFolder(async (root) => {
    await writeFiles(root, { "a.png": bomb(8192, 7000), "b.png": bomb(16_383, 16_383) });
    const inputs = ["a", "b"].map((id) => ({ kind: "image" as const, id, file: join(root, `${id}.png`) }));
    const model = await fakeModel({ class: 0, certain: 1 });
    const { skipped } = await predictImages({ model, name: "m.onnx", inputs, to: join(root, "out") });
    expect(skipped.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("a.png: is 8192 x 7000 pixels, more than 50000000"),
      expect.stringContaining("b.png: is 16383 x 16383 pixels, more than 50000000"),
    ]);
  }));

test("F13: what cannot be written ends it at the first image, for all others would fail as well", () =>
  withFolder(async (root) => {
    await writeFiles(root, { "out/x": Buffer.from("") });
    await writeFile(join(root, "out", "class"), "a file where a folder is wanted");
    await expect(predicted(root, { class: 0, certain: 1 })).rejects.toThrow(`${join(root, "out", "class")}: is a file`);
  }));

test("F13: a model that answers what means nothing is refused", () =>
  withFolder(async (root) => {
    await expect(predicted(root, { class: 0, certain: 200 })).rejects.toThrow('the model gives 200 as "certain"');
    await expect(predicted(root, { class: 1, certain: 1 })).rejects.toThrow('the model gives 1 as "class"');
    for (const similarity of [Number.NaN, Number.POSITIVE_INFINITY, -0.5, 1.5]) {
      await expect(predicted(root, { class: 0, certain: 1, similarity })).rejects.toThrow(
        `m.onnx: the model gives ${similarity} as "similarity" of a pixel of ${join(root, "a.png")}, wanted 0 to 1`,
      );
    }
  }));
