import { expect, test } from "vitest";
import { decodeLabels, encodeLabels } from "./labelPng.js";

test("class ids come back from a PNG exactly as they went in", () => {
  const labels = Uint8Array.from({ length: 256 }, (_, i) => i);
  expect(decodeLabels(encodeLabels({ width: 32, height: 8, labels }))).toEqual({ width: 32, height: 8, labels });
});
