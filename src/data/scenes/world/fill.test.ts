import { expect, test } from "vitest";
import { Drawing } from "./drawing.js";
import { between, type Fill, gradient, halo } from "./fill.js";
import { grain } from "./texture.js";

/** Red channel of an image of 64 x 32 filled all over. */
function filled(fill: Fill): (x: number, y: number) => number {
  const drawing = new Drawing(1024, 512);
  drawing.item("sky", "sky", 0).detail(
    [
      [
        [0, 0],
        [1024, 0],
        [1024, 512],
        [0, 512],
      ],
    ],
    fill,
  );
  const rgb = drawing.image({ width: 64, height: 32 });
  return (x, y) => rgb[(y * 64 + x) * 3]!;
}

test("between stops colours and opacities change evenly, and beyond the last they stay", () => {
  const stops = [
    [0.2, [0, 0, 0], 0],
    [0.6, [100, 0, 0], 1],
  ] as const;
  expect(between(stops, 0.1)).toEqual([[0, 0, 0], 0]);
  expect(between(stops, 0.4)[0][0]).toBeCloseTo(50);
  expect(between(stops, 0.4)[1]).toBeCloseTo(0.5);
  expect(between(stops, 0.9)).toEqual([[100, 0, 0], 1]);
});

test("a gradient runs down the image", () => {
  const red = filled(
    gradient(0, 512, [
      [0, [0, 0, 0]],
      [1, [255, 0, 0]],
    ]),
  );
  expect(red(5, 0)).toBeLessThan(8);
  expect(Math.abs(red(60, 16) - 131)).toBeLessThan(3);
  expect(red(5, 31)).toBeGreaterThan(247);
});

test("a halo is brightest in its middle and gone at its rim", () => {
  const red = filled(
    halo([512, 256], 128, [
      [0, [255, 0, 0], 1],
      [1, [255, 0, 0], 0],
    ]),
  );
  expect(red(32, 16)).toBeGreaterThan(200);
  expect(red(36, 16)).toBeLessThan(red(34, 16));
  expect(red(42, 16)).toBe(0);
});

test("grain repeats with its tile, and the seam cannot be seen", () => {
  const look = { colour: [255, 0, 0], frequency: [0.02, 0.02], strength: 1, from: 0, seed: 3 } as const;
  const red = filled(grain(look, { width: 512, height: 512 }));
  const steps = Array.from({ length: 63 }, (_, x) => Math.abs(red(x, 9) - red(x + 1, 9)));
  expect(Array.from({ length: 32 }, (_, x) => red(x, 9))).toEqual(Array.from({ length: 32 }, (_, x) => red(x + 32, 9)));
  expect(steps[31]).toBeLessThanOrEqual(Math.max(...steps.toSpliced(31, 1)));
  expect(new Set(steps).size).toBeGreaterThan(3);
});
