import { expect, test } from "vitest";
import { fromHalf, toHalf } from "./half.js";

test("every half comes back as the bits it was", () => {
  for (let bits = 0; bits < 0x10000; bits++) {
    const value = fromHalf(bits);
    if (!Number.isNaN(value)) expect(toHalf(value)).toBe(bits);
  }
});

test("numbers between two halves go to the nearer one, and from the middle to the even one", () => {
  for (const bits of [0x0000, 0x0001, 0x03ff, 0x0400, 0x3bff, 0x3c00, 0x7bfe]) {
    const [low, high] = [fromHalf(bits), fromHalf(bits + 1)];
    const step = high - low;
    expect(toHalf(low + 0.49 * step)).toBe(bits);
    expect(toHalf(low + 0.51 * step)).toBe(bits + 1);
    expect(toHalf(-(low + 0.5 * step))).toBe(0x8000 | (bits + (bits % 2)));
  }
});

test("what no half reaches is infinite, and not a number stays so", () => {
  expect(fromHalf(toHalf(65519))).toBe(65504);
  expect(fromHalf(toHalf(-65520))).toBe(Number.NEGATIVE_INFINITY);
  expect(fromHalf(toHalf(Number.NaN))).toBeNaN();
  expect(toHalf(1e-9)).toBe(0);
});
