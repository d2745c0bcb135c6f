import { expect, test } from "vitest";
import { Grid } from "./grid.js";
import { ring } from "./outline.js";
import { Stencil } from "./stencil.js";
import type { Point } from "./view.js";

const size = { width: 16, height: 8 };

/** Rows of an image, # where outlines (in pixels) cover the middle of a pixel. */
function cut(...outlines: (readonly Point[])[]): string[] {
  const grid = new Grid(size, { width: 256, height: 128 });
  const stencil = new Stencil(grid);
  for (const outline of outlines) if (grid.place(outline.map(([x, y]) => [x * 16, y * 16] as const))) stencil.add();
  const pixels = new Uint8Array(size.width * size.height);
  stencil.fill(pixels, 1);
  return Array.from({ length: size.height }, (_, y) =>
    Array.from(pixels.subarray(y * size.width, (y + 1) * size.width), (value) => (value === 1 ? "#" : ".")).join(""),
  );
}

const bar = (x0: number, x1: number): Point[] => [
  [x0, 0],
  [x1, 0],
  [x1, 8],
  [x0, 8],
];

test("a pixel belongs to what covers its middle, and to one of two neighbours only", () => {
  expect(cut(bar(1.4, 4.6))[3]).toBe(".####...........");
  expect(cut(bar(1.6, 4.4))[3]).toBe("..##............");
  expect(cut(bar(0, 5.5))[3]).toBe("#####...........");
  expect(cut(bar(5.5, 20))[3]).toBe(".....###########");
});

test("a gap of one pixel between two bars stays open", () => {
  expect(cut(bar(2, 4), bar(5, 7), bar(8, 10))[3]).toBe("..##.##.##......");
});

test("a ring keeps its hole, and what turns the other way adds to it", () => {
  const wheel = ring(8, 4, 4, 4, 1.5);
  expect(cut(wheel)[4]).toBe("....##....##....");
  expect(cut(wheel, bar(7, 9).toReversed())[4]).toBe("....##.##.##....");
});
