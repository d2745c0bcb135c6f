import { expect, test } from "vitest";
import { classId } from "./classes.js";
import { Drawing } from "./drawing.js";
import type { Point } from "./view.js";

const pixels = { width: 64, height: 32 };
const square = (x: number, y: number, size = 100): Point[] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
];
const page = (): Drawing => new Drawing(1024, 512);

test("near things are painted after far ones, and layers before depth", () => {
  const drawing = page();
  drawing.item("car", "thing", 5).shape(square(0, 0, 100), 0x111111);
  drawing.item("building", "thing", 50).shape(square(0, 0, 200), 0x222222);
  drawing.item("road", "ground", 1).shape(square(0, 0, 300), 0x333333);
  const diagonal = (pixel: number): number => drawing.labels(pixels)[pixel * 65]!;
  expect([2, 9, 15].map(diagonal)).toEqual([classId("car"), classId("building"), classId("road")]);
  expect([2, 9, 15].map((pixel) => drawing.image(pixels)[pixel * 65 * 3])).toEqual([0x11, 0x22, 0x33]);
});

test("details are seen in the image and leave the labels alone", () => {
  const drawing = page();
  const item = drawing.item("building", "thing", 9).shape(square(0, 0), 0x646464);
  const before = drawing.labels(pixels);
  item.detail([square(32, 32, 32)], 0xc8c8c8, 0.5);
  expect(drawing.labels(pixels)).toEqual(before);
  expect(drawing.image(pixels)[(3 * 64 + 3) * 3]).toBe(150);
});

test("outlines beside the image, or smaller than a third of a pixel, are left out of both", () => {
  const drawing = page();
  drawing
    .item("person", "thing", 9)
    .shape(square(-200, 0), 0xffffff)
    .shape(square(500, 500, 2), 0xffffff);
  expect(drawing.image(pixels).every((value) => value === 0)).toBe(true);
  expect(drawing.labels(pixels).every((value) => value === 0)).toBe(true);
});

test("an outline and its mirror image may overlap without cutting a hole", () => {
  const drawing = page();
  drawing.item("car", "thing", 1).shapes([square(0, 0), square(32, 32).toReversed()], 0xffffff);
  const overlap = 4 * 64 + 4;
  expect(drawing.image(pixels)[overlap * 3]).toBe(255);
  expect(drawing.labels(pixels)[overlap]).toBe(classId("car"));
});

test("neighbours of one see-through colour are no darker where they overlap", () => {
  const drawing = page();
  drawing
    .item("road", "shadow", 1)
    .detail([square(0, 0)], 0xffffff, 0.5)
    .detail([square(32, 0)], 0xffffff, 0.5);
  const row = drawing.image(pixels).subarray(0, 8 * 3);
  expect(new Set(row)).toEqual(new Set([128]));
});
