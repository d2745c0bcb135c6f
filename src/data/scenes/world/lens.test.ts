import { expect, test } from "vitest";
import { develop, type Lens } from "./lens.js";
import { SeededRandom } from "./seededRandom.js";

const plain: Lens = { exposure: 1, contrast: 1, saturation: 1, tint: [255, 255, 255], vignette: 0, noise: 0, blur: 0 };
const grey = (value: number): Uint8Array => new Uint8Array(16 * 8 * 3).fill(value);

test("a lens without faults changes nothing", () => {
  const rgb = Uint8Array.from({ length: 16 * 8 * 3 }, (_, i) => (i * 7) % 256);
  const before = rgb.slice();
  develop(rgb, 16, 8, plain, new SeededRandom("a"));
  expect(rgb).toEqual(before);
});

test("noise is around nothing, and is the same for the same key", () => {
  const [a, b, c] = [grey(100), grey(100), grey(100)];
  develop(a, 16, 8, { ...plain, noise: 10 }, new SeededRandom("a"));
  develop(b, 16, 8, { ...plain, noise: 10 }, new SeededRandom("a"));
  develop(c, 16, 8, { ...plain, noise: 10 }, new SeededRandom("c"));
  expect(a).toEqual(b);
  expect(a).not.toEqual(c);
  expect(Math.abs(a.reduce((sum, value) => sum + value, 0) / a.length - 100)).toBeLessThan(2);
});

test("a vignette darkens corners more than the middle", () => {
  const rgb = grey(200);
  develop(rgb, 16, 8, { ...plain, vignette: 0.4 }, new SeededRandom("a"));
  expect(rgb[0]).toBeLessThan(rgb[(4 * 16 + 8) * 3]!);
});
