import sharp from "sharp";
import { expect, test } from "vitest";
import { boardImages, sampleSheet } from "./samplePredictions.js";

const sample = (name: string, width: number, height: number, grey: number) => ({
  ...{ name, width, height },
  rgb: new Uint8Array(width * height * 3).fill(grey),
});

test("samples of different sizes lie below each other, as wide as the widest but no wider than a page", async () => {
  const samples = [sample("target/a", 60, 20, 250), sample("target/b", 30, 10, 5)];
  const { data, info } = await sharp(await sampleSheet(samples))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([60, 20 + 20]);
  const at = (y: number): number => data[3 * (y * 60 + 30)]!;
  expect(Math.abs(at(10) - 250)).toBeLessThan(4);
  expect(Math.abs(at(30) - 5)).toBeLessThan(4);
  const wide = await sharp(await sampleSheet([sample("target/c", 3000, 300, 9)])).metadata();
  expect([wide.width, wide.height]).toEqual([960, 96]);
  expect(Object.entries(await boardImages(samples)).map(([name, { width, height }]) => [name, width, height])).toEqual([
    ["target/a", 60, 20],
    ["target/b", 30, 10],
  ]);
});
