import sharp from "sharp";
import { expect, test } from "vitest";
import { previewSheet } from "./preview.js";

test("a sheet is a grid of images, each with its labels beneath", async () => {
  const sheet = await previewSheet("forest", { columns: 2, rows: 1, width: 64, height: 32 });
  expect(await sharp(sheet).metadata()).toMatchObject({ format: "png", width: 128, height: 64 });
});
