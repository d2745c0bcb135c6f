import fc from "fast-check";
import { expect, test } from "vitest";
import { Coverage } from "./coverage.js";
import { Grid } from "./grid.js";
import type { Point } from "./view.js";

const size = { width: 24, height: 16 };
const units = { width: 24 * 16, height: 16 * 16 };

/** Share of each pixel that an outline covers, 0 to 256. Outlines are given in pixels. */
function covered(outlines: readonly (readonly Point[])[]): number[] {
  const grid = new Grid(size, units);
  const coverage = new Coverage(grid);
  for (const outline of outlines) {
    if (grid.place(outline.map(([x, y]) => [x * 16, y * 16] as const))) coverage.add();
  }
  const shares = new Array<number>(size.width * size.height).fill(0);
  coverage.sweep(1, (y, from, to, alpha) => {
    for (let x = from; x < to; x++) shares[y * size.width + x] = alpha[x]!;
  });
  return shares;
}

const rectangle = (x0: number, y0: number, x1: number, y1: number): Point[] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

test("a rectangle covers its border pixels by as much as lies inside", () => {
  const shares = covered([rectangle(2.25, 1.5, 4.5, 3)]);
  const row = (y: number): number[] => shares.slice(y * size.width + 1, y * size.width + 6);
  expect(row(1)).toEqual([0, 96, 128, 64, 0]);
  expect(row(2)).toEqual([0, 192, 256, 128, 0]);
  expect(row(3)).toEqual([0, 0, 0, 0, 0]);
});

test("two halves of a square cover it without a seam", () => {
  const shares = covered([
    [
      [3, 3],
      [9, 3],
      [3, 9],
    ],
    [
      [9, 3],
      [9, 9],
      [3, 9],
    ],
  ]);
  expect(shares).toEqual(covered([rectangle(3, 3, 9, 9)]));
});

test("any triangle, on the image or half off it, covers what a fine count of points finds inside", () => {
  const corner = fc.tuple(fc.integer({ min: -480, max: 720 }), fc.integer({ min: -320, max: 480 }));
  fc.assert(
    fc.property(corner, corner, corner, (...corners) => {
      const outline = corners.map(([x, y]) => [x / 16, y / 16] as const);
      const shares = covered([outline]);
      for (let i = 0; i < shares.length; i += 7) {
        const counted = insideShare(outline, i % size.width, Math.floor(i / size.width));
        expect(Math.abs(shares[i]! / 256 - counted)).toBeLessThan(0.09);
      }
    }),
    { numRuns: 60, seed: 1 },
  );
});

/** Share of 16 x 16 points of a pixel inside a triangle. */
function insideShare([a, b, c]: readonly Point[], px: number, py: number): number {
  const side = (p: Point, q: Point, x: number, y: number): number =>
    (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
  let inside = 0;
  for (let i = 0; i < 256; i++) {
    const [x, y] = [px + ((i % 16) + 0.5) / 16, py + (Math.floor(i / 16) + 0.5) / 16];
    const sides = [side(a!, b!, x, y), side(b!, c!, x, y), side(c!, a!, x, y)];
    if (sides.every((s) => s > 0) || sides.every((s) => s < 0)) inside++;
  }
  return inside / 256;
}
