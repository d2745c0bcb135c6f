import { expect, test } from "vitest";
import { localAxis, mirrored, nearest, taps, windowAxis } from "./axis.js";

test("a window at the image's own size reads its pixels one by one", () => {
  expect([...windowAxis(5, 5, { start: 1, length: 3 }).places]).toEqual([1, 2, 3]);
});

test("an image of twice the size is sampled at quarters: pixels are squares, their centres are sampled", () => {
  expect([...windowAxis(2, 4, { start: 0, length: 4 }).places]).toEqual([-0.25, 0.25, 0.75, 1.25]);
});

test("a window may reach beyond the image on both sides; nearest says so, taps repeat the edge", () => {
  const axis = windowAxis(2, 2, { start: -1, length: 4 });
  expect([...nearest(axis)]).toEqual([-1, 0, 1, -1]);
  const { low, high, share } = taps(axis);
  expect([...low].map((l, i) => l + (high[i]! - l) * share[i]!)).toEqual([0, 0, 1, 1]);
});

test("A-5: a local crop puts its first and last pixel on the corners", () => {
  const { places } = localAxis(5, { start: 2, length: 3 });
  expect([...places]).toEqual([2, 2.5, 3, 3.5, 4]);
  expect([...localAxis(4, { start: 0, length: 4 }).places]).toEqual([0, 1, 2, 3]);
  expect([...localAxis(3, { start: 1, length: 1 }).places]).toEqual([1, 1, 1]);
});

test("the mirror image is the same places backwards", () => {
  expect([...mirrored(windowAxis(5, 5, { start: 1, length: 3 })).places]).toEqual([3, 2, 1]);
});
