import { expect, test } from "vitest";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { anglesBetween, DatasetPrototypes, type DatasetRule } from "./datasetPrototypes.js";

/** Prototypes of batches given as sums [2, 2]: two features, two classes. */
function prototypesOf(rule: DatasetRule, ...batches: number[][]) {
  const all = new DatasetPrototypes({ features: 2, classes: 2, rule });
  for (const sums of batches) all.add(float32([2, 2], sums));
  return all.finish();
}
const rounded = (values: Float32Array): number[] => Array.from(values, (x) => Number(x.toFixed(4)));

test("P-10: every pixel counts the same, or every batch does", () => {
  // Class 0: three pixels to the east in one batch, four to the north in another. Class 1 never occurs.
  const batches = [
    [3, 0, 0, 0],
    [0, 0, 4, 0],
  ];
  expect(rounded(floats(prototypesOf("pixels", ...batches), "p"))).toEqual([0.6, 0, 0.8, 0]);
  const diagonal = Number(Math.SQRT1_2.toFixed(4));
  expect(rounded(floats(prototypesOf("batches", ...batches), "p"))).toEqual([diagonal, 0, diagonal, 0]);
});

test("P-10: the two agree where the data set is one batch", () => {
  const batch = [3, -1, 4, 2];
  const angles = anglesBetween(prototypesOf("pixels", batch), prototypesOf("batches", batch));
  for (const angle of angles) expect(angle).toBeCloseTo(0, 1);
});

test("P-10: angles are given in degrees, and none for a class without prototype", () => {
  expect(anglesBetween(float32([2, 2], [1, 0, 0, 0]), float32([2, 2], [0, 0, 2, 0]))).toEqual([90, null]);
});
