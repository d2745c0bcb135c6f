import { expect, test } from "vitest";
import { tiledNoise } from "./noise.js";

test("noise lies between 0 and 1 around a half, and its edges fit together", () => {
  const [columns, rows] = [64, 32];
  const noise = tiledNoise("key", { columns, rows, bumps: [8, 4], octaves: 1 });
  const mean = noise.reduce((sum, value) => sum + value, 0) / noise.length;
  expect(Math.min(...noise)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...noise)).toBeLessThanOrEqual(1);
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.15);
  // From the last column to the first is a step like any other.
  for (let y = 0; y < rows; y++) {
    expect(Math.abs(noise[y * columns]! - noise[y * columns + columns - 1]!)).toBeLessThan(0.3);
  }
});
