import { expect, test } from "vitest";
import { classId } from "../classes.js";
import { Drawing } from "./drawing.js";
import type { Point } from "./view.js";

const pixels = { width: 64, height: 32 };
const square = (x: number, y: number, size = 100): Point[] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
];
const paint = (id: number): string => `c${id}`;

test("near things are painted after far ones, and layers before depth", () => {
  const drawing = new Drawing(1024, 512);
  drawing.item("car", "thing", 5).shape(square(0, 0), "#111111");
  drawing.item("building", "thing", 50).shape(square(0, 0), "#222222");
  drawing.item("road", "ground", 1).shape(square(0, 0), "#333333");
  const order = [...drawing.labels(pixels, paint).matchAll(/fill="c(\d+)"/g)].map(([, id]) => Number(id));
  expect(order).toEqual([classId("road"), classId("building"), classId("car")]);
});

test("details are seen in the photo and leave the labels alone", () => {
  const drawing = new Drawing(1024, 512);
  drawing
    .item("building", "thing", 9)
    .shape(square(0, 0), "#aaaaaa")
    .detail([square(20, 20, 40)], "#bbbbbb", 0.5);
  expect(drawing.photo(pixels)).toContain('fill="#bbbbbb" fill-opacity="0.50"');
  expect(drawing.labels(pixels, paint).match(/<path/g)).toHaveLength(1);
});

test("outlines beside the picture, or smaller than a third of a pixel, are left out of both", () => {
  const drawing = new Drawing(1024, 512);
  const item = drawing.item("person", "thing", 9);
  item.shape(square(-200, 0), "#000001").shape(square(500, 500, 2), "#000002");
  expect(drawing.photo(pixels)).not.toContain("<path");
  expect(drawing.labels(pixels, paint)).not.toContain("<path");
});

test("an outline and its mirror image are written turning the same way", () => {
  const write = (outline: Point[]): string => {
    const drawing = new Drawing(1024, 512);
    drawing.item("car", "thing", 1).shape(outline, "#000000");
    return drawing.photo(pixels).match(/d="([^"]*)"/)![1]!;
  };
  expect(write(square(0, 0))).toBe("M0 0l400 0 0 400-400 0Z");
  expect(write(square(0, 0).toReversed())).toBe("M0 0l400 0 0 400-400 0Z");
});
