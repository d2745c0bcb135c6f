import { expect, test } from "vitest";
import { onlyCertain, overlay, Sheet } from "./sheet.js";

test("tiles land in their column and row", () => {
  const sheet = new Sheet(2, 2, { width: 1, height: 1 });
  sheet.paste(Uint8Array.of(1, 2, 3), 1, 0);
  sheet.paste(Uint8Array.of(4, 5, 6), 0, 1);
  expect([...sheet.rgb]).toEqual([0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0]);
});

test("an overlay is mostly the class colour, and white where there is none", () => {
  const painted = overlay(Uint8Array.of(100, 100, 100, 0, 0, 0), Uint8Array.of(0, 19), [[10, 20, 30]]);
  expect([...painted]).toEqual([37, 44, 51, 179, 179, 179]);
});

test("only certain pixels are kept", () => {
  const kept = onlyCertain(Uint8Array.of(9, 9, 9, 8, 8, 8), Uint8Array.of(1, 0));
  expect([...kept]).toEqual([9, 9, 9, 0, 0, 0]);
});
