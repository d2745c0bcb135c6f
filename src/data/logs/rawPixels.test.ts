import { describe, expect, test } from "vitest";
import type { RawPixels } from "./imageMessage.js";
import { rgbOf } from "./rawPixels.js";

const raw = (encoding: string, width: number, height: number, data: readonly number[], more: Partial<RawPixels> = {}) =>
  rgbOf({
    kind: "raw",
    encoding,
    width,
    height,
    step: data.length / height,
    bigEndian: false,
    data: Uint8Array.from(data),
    ...more,
  });

test.each([
  ["rgb8", [1, 2, 3, 4, 5, 6]],
  ["bgr8", [3, 2, 1, 6, 5, 4]],
  ["8UC3", [3, 2, 1, 6, 5, 4]],
  ["rgba8", [1, 2, 3, 99, 4, 5, 6, 99]],
  ["bgra8", [3, 2, 1, 99, 6, 5, 4, 99]],
])("%s gives red, green and blue in this order", (encoding, data) => {
  expect([...raw(encoding, 2, 1, data).rgb]).toEqual([1, 2, 3, 4, 5, 6]);
});

test("rows may be longer than their pixels", () => {
  const { rgb } = raw("mono8", 2, 2, [1, 2, 77, 77, 3, 4, 77, 77]);
  expect([...rgb]).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
});

test("mono16 keeps the high byte, wherever it stands", () => {
  expect([...raw("mono16", 1, 1, [0x34, 0x12]).rgb]).toEqual([0x12, 0x12, 0x12]);
  expect([...raw("mono16", 1, 1, [0x34, 0x12], { bigEndian: true }).rgb]).toEqual([0x34, 0x34, 0x34]);
});

test("4:2:2 in both orders: black, white, and the red of BT.601", () => {
  // Y 81, U 90, V 240 is full red; Y 16 black, Y 235 white with neutral colour.
  expect([...raw("yuv422", 2, 1, [128, 16, 128, 235]).rgb]).toEqual([0, 0, 0, 255, 255, 255]);
  expect([...raw("yuyv", 2, 1, [16, 128, 235, 128]).rgb]).toEqual([0, 0, 0, 255, 255, 255]);
  const [red, green, blue] = raw("uyvy", 2, 1, [90, 81, 240, 81]).rgb;
  expect(red).toBeGreaterThan(250);
  expect(Math.max(green!, blue!)).toBeLessThan(5);
});

describe("Bayer", () => {
  /** What a sensor of a pattern measures of one colour everywhere. */
  const sensor = (pattern: string, colour: readonly number[]): number[] =>
    Array.from({ length: 36 }, (_, i) => colour["rgb".indexOf(pattern[2 * (Math.floor(i / 6) & 1) + ((i % 6) & 1)]!)]!);

  test.each(["rggb", "bggr", "gbrg", "grbg"])(
    "%s: an even colour comes back at every pixel, border included",
    (pattern) => {
      const { rgb } = raw(`bayer_${pattern}8`, 6, 6, sensor(pattern, [200, 100, 50]));
      expect([...rgb]).toEqual(Array.from({ length: 36 }, () => [200, 100, 50]).flat());
    },
  );
});

test.each([
  [
    "an encoding that is not known",
    () => raw("32FC1", 1, 1, [0, 0, 0, 0]),
    'its encoding is "32FC1"; known are rgb8, bgr8',
  ],
  ["a name every object has", () => raw("constructor", 1, 1, [0]), 'its encoding is "constructor"'],
  [
    "data shorter than its rows",
    () => raw("rgb8", 2, 2, Array(12).fill(0), { step: 7 }),
    "it has 12 bytes; a step of 7 and 2 rows make 14",
  ],
  [
    "a step shorter than a row",
    () => raw("rgb8", 2, 2, Array(12).fill(0), { step: 5 }),
    "its step is 5; 2 pixels of rgb8 take 6 bytes",
  ],
  ["no pixels", () => raw("rgb8", 0, 1, []), "it is 0 x 1 pixels"],
  ["a size that no memory holds", () => raw("mono8", 4e9, 4e9, [0]), "it is 4000000000 x 4000000000 pixels"],
  ["half a pair", () => raw("yuyv", 3, 1, Array(6).fill(0)), "it is 3 pixels wide; yuyv has pairs"],
])("%s is refused with the rule", (_, read, message) => {
  expect(read).toThrow(message);
});
