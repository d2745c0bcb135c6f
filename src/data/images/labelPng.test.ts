import sharp from "sharp";
import { expect, test } from "vitest";
import { makePng } from "../../../test/makePng.js";
import { decodeLabels, encodeLabels } from "./labelPng.js";

const [width, height] = [32, 8];
const labels = Uint8Array.from({ length: 256 }, (_, i) => i);

test("others read class ids from our PNGs as grey values of 8 bits, and we from theirs", async () => {
  const png = encodeLabels({ width, height, labels });
  expect(decodeLabels(png)).toEqual({ width, height, labels });
  expect(await sharp(png).metadata()).toMatchObject({ width, height, channels: 1, depth: "uchar" });
  const { data } = await sharp(png).toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  expect(Uint8Array.from(data)).toEqual(labels);
  expect(decodeLabels(makePng({ width, height, depth: 8, type: 0, values: Array.from(labels) })).labels).toEqual(
    labels,
  );
});

test("PNGs that are no label maps of ours are refused: colours, 16 bits, a wrong checksum", () => {
  const values = Array.from({ length: width * height }, () => 7);
  expect(() => decodeLabels(makePng({ width, height, depth: 16, type: 0, values }))).toThrow("1 channels of 16 bits");
  const colours = values.flatMap((value) => [value, value, value]);
  expect(() => decodeLabels(makePng({ width, height, depth: 8, type: 2, values: colours }))).toThrow("3 channels");
  const damaged = Buffer.from(encodeLabels({ width, height, labels }));
  damaged[60]! ^= 1;
  expect(() => decodeLabels(damaged)).toThrow();
});
