import { expect, test } from "vitest";
import type { SiteModel } from "../../manifest.js";
import { largestDifference } from "../engine/testTile.js";
import { measure, rangeOf, scoreAt } from "./measures.js";

const maps = {
  width: 5,
  height: 1,
  classes: Uint8Array.from([0, 0, 2, 2, 2]),
  score: Float32Array.from([0.1, 0.7, 0.7, 0.8, 0.9]),
  distance: 0.5,
  milliseconds: 1,
};
const model: SiteModel = {
  ...{ name: "m", file: "m.onnx", bytes: 1, sha256: "", method: "gamma-ssl", precision: "float32", height: 64 },
  ...{ classes: [], score: "softmax", gamma: 0.7, gammaFrom: "training", scoreRange: [0, 1] },
  ...{ distanceFrom: [], outOfDomainRule: "" },
};

test("a pixel is certain from γ on, in single precision as the model decides it", () => {
  const { certain, classes } = measure(maps, 0.7, 3);
  expect(certain).toBe(0.8);
  expect(classes).toEqual([
    { share: 0.4, certain: 0.5 },
    { share: 0, certain: 0 },
    { share: 0.6, certain: 1 },
  ]);
});

test("a score without ends is moved over those of the image, and starts at a share of it", () => {
  expect(rangeOf(model, maps)).toEqual([0, 1]);
  expect(rangeOf({ ...model, scoreRange: null }, maps)).toEqual([Math.fround(0.1), Math.fround(0.9)]);
  expect(measure(maps, scoreAt(maps, 0.4), 3).certain).toBe(0.4);
});

test("scores that differ, and scores that are no numbers, are found", () => {
  const other = (at: number, score: number) => ({ ...maps, score: maps.score.with(at, score) });
  expect(largestDifference(maps, maps)).toBe(0);
  expect(largestDifference(maps, other(3, 0.81))).toBeCloseTo(0.01, 6);
  expect(largestDifference(maps, other(0, Number.NaN))).toBe(Number.POSITIVE_INFINITY);
});
