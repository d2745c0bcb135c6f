import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportedModel } from "../../test/exportedModel.js";
import { testImage, withFolder } from "../../test/folders.js";
import { decodeImage } from "../data/images/readImage.js";
import { type NodeImage, Segmenter } from "./segmenter.js";

let model: Uint8Array;
let segmenter: Segmenter;
beforeAll(async () => {
  model = await exportedModel();
  segmenter = await Segmenter.open(model, { threads: 1 });
});
afterAll(() => segmenter.close());

test("a path, all kinds of bytes and pixels of one image give one answer", () =>
  withFolder(async (root) => {
    const file = await testImage(90, 70, 3).png().toBuffer();
    await writeFile(join(root, "a.png"), file);
    const { image } = await decodeImage(file, "a.png");
    const wanted = await segmenter.segment(join(root, "a.png"));
    expect([wanted.width, wanted.height]).toEqual([90, 70]);
    const bytes = Uint8Array.from(file);
    const clamped = { ...image, rgb: new Uint8ClampedArray(image.rgb) };
    const same: readonly unknown[] = [file, bytes, bytes.buffer, new Blob([bytes]), image, clamped];
    for (const given of same) expect(await segmenter.segment(given as NodeImage)).toEqual(wanted);
  }));

test("what is no image is an error that says what is wrong and what is taken", async () => {
  const rgb = new Uint8Array(12);
  for (const [image, message, code] of [
    [{ rgb, width: 2, height: 3 }, "the image has 12 bytes; 2 x 3 pixels make 18", "image-damaged"],
    [{ rgb, width: 2 }, "the image is 2 x undefined pixels", "image-damaged"],
    [{ rgb, width: Number.NaN, height: 2 }, "the image is NaN x 2 pixels", "image-damaged"],
    [{ rgb: [1, 2, 3], width: 1, height: 1 }, "the image has no rgb of bytes", "image-unsupported"],
    [
      { rgb, width: 20_000, height: 1 },
      "the image is 20000 x 1 pixels, more than 16384 along a side",
      "image-too-large",
    ],
    [[1, 2], "the image is Array", "image-unsupported"],
    [undefined, "the image is undefined", "image-unsupported"],
    [rgb, "the image: is of an unknown kind, not an image that can be read", "image-unsupported"],
    [new ArrayBuffer(0), "the image: the file is empty", "image-empty"],
    ["/nowhere/a.png", "/nowhere/a.png: is not there", "image-missing"],
  ] as const) {
    await expect(segmenter.segment(image as unknown as NodeImage), message).rejects.toMatchObject({
      message,
      code,
      hint: expect.stringMatching(/.{5}/),
    });
  }
});

test("after close a call is an error of its own, and closing again does nothing", async () => {
  const other = await Segmenter.open(model.slice().buffer as ArrayBuffer, { threads: 1 });
  await other.close();
  await other.close();
  const image = { rgb: new Uint8Array(64 * 64 * 3), width: 64, height: 64 };
  await expect(other.segment(image)).rejects.toMatchObject({ code: "closed", message: "this Segmenter is closed" });
});
