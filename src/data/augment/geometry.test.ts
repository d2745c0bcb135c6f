import fc from "fast-check";
import { expect, test } from "vitest";
import { random } from "../../engine/tensor/random.js";
import { VOID_LABEL } from "../labels/labelSpace.js";
import { localAxis, windowAxis } from "./axis.js";
import { drawGlobal, drawLocal, type Geometry, validity } from "./geometry.js";
import { imageThrough, labelsThrough, planesThrough } from "./resample.js";
import type { ViewOptions } from "./view.js";

const view: ViewOptions = {
  height: 20,
  crop: [16, 24],
  scale: [0.6, 1.4],
  flip: 0.5,
  local: { chance: 0.5, side: [0.3, 0.9] },
  colour: "off",
};

/** Red is the row, green the column, blue nothing; the label is the row. */
const ramp = (height: number, width: number) => ({
  rgb: Uint8Array.from({ length: 3 * height * width }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return [Math.floor(pixel / width), pixel % width, 0][i % 3]!;
  }),
  labels: Uint8Array.from({ length: height * width }, (_, pixel) => Math.floor(pixel / width)),
});

const seen = (geometry: Geometry, rgb: Uint8Array): Float32Array => {
  const planes = new Float32Array(3 * geometry.rows.places.length * geometry.columns.places.length);
  imageThrough(geometry, rgb, planes);
  return planes;
};

/** Where a pixel of the view came from, in pixels of the image; null if it is padding. */
function origin({ rows, columns }: Geometry, row: number, column: number): readonly [number, number] | null {
  const [y, x] = [rows.places[row]!, columns.places[column]!];
  const inside = y >= -0.5 && y < rows.pixels - 0.5 && x >= -0.5 && x < columns.pixels - 0.5;
  return inside ? [y, x] : null;
}

test("A-4: image and labels move together, and origin says where each pixel came from", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 4, max: 50 }), fc.integer({ min: 4, max: 50 }), (seed, height, width) => {
      const { rgb, labels } = ramp(height, width);
      const geometry = drawGlobal(view, { height, width }, random(seed));
      const image = seen(geometry, rgb);
      const moved = labelsThrough(geometry, labels);
      const valid = validity(geometry, null);
      for (let row = 0; row < 16; row++) {
        for (let column = 0; column < 24; column++) {
          const pixel = row * 24 + column;
          const from = origin(geometry, row, column);
          expect(valid[pixel]).toBe(from === null ? 0 : 1);
          if (from === null) {
            expect(moved[pixel]).toBe(VOID_LABEL);
            continue;
          }
          const [y, x] = [Math.min(Math.max(from[0], 0), height - 1), Math.min(Math.max(from[1], 0), width - 1)];
          expect(image[pixel]! * 255).toBeCloseTo(y, 3);
          expect(image[16 * 24 + pixel]! * 255).toBeCloseTo(x, 3);
          expect(Math.abs(moved[pixel]! - from[0])).toBeLessThanOrEqual(0.5 + 1e-9);
        }
      }
    }),
    { numRuns: 30, seed: 1 },
  );
});

test("A-4: the factor, the place and the mirror image all vary, within their limits", () => {
  const draws = Array.from({ length: 400 }, (_, n) => drawGlobal(view, { height: 60, width: 80 }, random(n)));
  const steps = draws.map(({ rows }) => rows.places[1]! - rows.places[0]!);
  expect(Math.min(...steps)).toBeGreaterThan(1 / 1.42);
  expect(Math.min(...steps)).toBeLessThan(1 / 1.35);
  expect(Math.max(...steps)).toBeLessThan(1 / 0.58);
  expect(Math.max(...steps)).toBeGreaterThan(1 / 0.65);
  const flipped = draws.filter(({ columns }) => columns.places[1]! < columns.places[0]!);
  expect(flipped.length / draws.length).toBeCloseTo(0.5, 1);
  expect(Math.min(...draws.map(({ rows }) => rows.places[0]!))).toBeLessThan(2);
  expect(Math.max(...draws.map(({ rows }) => rows.places.at(-1)!))).toBeGreaterThan(57);
});

test("A-8: an image smaller than the crop is padded with its edge, void labels and a validity of 0", () => {
  const rows = windowAxis(1, 1, { start: -1, length: 3 });
  const columns = windowAxis(2, 2, { start: 0, length: 4 });
  const rgb = Uint8Array.of(51, 102, 153, 204, 0, 255);
  const geometry = { rows, columns };
  expect([...seen(geometry, rgb).subarray(0, 4)].map((value) => Math.round(255 * value))).toEqual([51, 204, 204, 204]);
  expect([...labelsThrough(geometry, Uint8Array.of(3, 4))]).toEqual([
    ...[255, 255, 255, 255],
    ...[3, 4, 255, 255],
    ...[255, 255, 255, 255],
  ]);
  expect([...validity(geometry, null)]).toEqual([0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0]);
});

test("A-8: after a local crop only pixels mixed from valid ones are valid", () => {
  const global = {
    rows: windowAxis(3, 3, { start: 0, length: 3 }),
    columns: windowAxis(2, 2, { start: 0, length: 3 }),
  };
  const local = { rows: localAxis(3, { start: 0, length: 3 }), columns: localAxis(3, { start: 0, length: 2 }) };
  expect([...validity(global, local).subarray(0, 3)]).toEqual([1, 1, 1]);
  const further = { ...local, columns: localAxis(3, { start: 1, length: 2 }) };
  expect([...validity(global, further).subarray(0, 3)]).toEqual([1, 0, 0]);
});

test("A-5: a local crop is a part of the crop with the share drawn, anywhere in it", () => {
  const draws = Array.from({ length: 300 }, (_, n) => drawLocal(view, random(n)));
  for (const { rows, columns } of draws) {
    const [height, width] = [rows.places[15]! - rows.places[0]! + 1, columns.places[23]! - columns.places[0]! + 1];
    expect(height).toBeGreaterThanOrEqual(Math.round(0.3 * 16));
    expect(height).toBeLessThanOrEqual(Math.round(0.9 * 16));
    expect(Math.abs(height / 16 - width / 24)).toBeLessThan(0.06);
    expect(rows.places[0]).toBeGreaterThanOrEqual(0);
    expect(columns.places[23]).toBeLessThanOrEqual(23);
  }
  expect(Math.min(...draws.map(({ columns }) => columns.places[0]!))).toBe(0);
  expect(Math.max(...draws.map(({ columns }) => columns.places[23]!))).toBe(23);
});

test("planes go through a geometry like bytes do", () => {
  const { rgb } = ramp(9, 7);
  const whole = { rows: windowAxis(9, 9, { start: 0, length: 9 }), columns: windowAxis(7, 7, { start: 0, length: 7 }) };
  const planes = seen(whole, rgb);
  const local = { rows: localAxis(9, { start: 2, length: 5 }), columns: localAxis(7, { start: 1, length: 3 }) };
  const cut = new Float32Array(planes.length);
  planesThrough(local, planes, cut);
  expect([...cut].map((value) => Math.round(1e4 * value))).toEqual(
    [...seen(local, rgb)].map((value) => Math.round(1e4 * value)),
  );
});
