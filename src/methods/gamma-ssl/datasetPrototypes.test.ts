import { expect, test } from "vitest";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { DatasetPrototypes } from "./datasetPrototypes.js";

/** Prototypes of images given as sums [2, 2]: two features, two classes. */
function prototypesOf(batch: number | null, ...images: number[][]) {
  const all = new DatasetPrototypes({ features: 2, classes: 2, batch });
  for (const sums of images) all.add(float32([2, 2], sums));
  return all.finish();
}
const rounded = (values: Float32Array): number[] => Array.from(values, (x) => Number(x.toFixed(4)));

test("P-10: every pixel counts the same, or every batch does", () => {
  // Class 0: three pixels to the east in one batch, four to the north in another. Class 1 never occurs.
  const batches = [
    [3, 0, 0, 0],
    [0, 0, 4, 0],
  ];
  expect(rounded(floats(prototypesOf(null, ...batches), "p"))).toEqual([0.6, 0, 0.8, 0]);
  const diagonal = Number(Math.SQRT1_2.toFixed(4));
  expect(rounded(floats(prototypesOf(1, ...batches), "p"))).toEqual([diagonal, 0, diagonal, 0]);
});

test("P-10: a batch has as many images as in training, the last one the rest", () => {
  const images = [
    [3, 0, 0, 0],
    [0, 0, 4, 0],
    [0, 0, 9, 0],
  ];
  // (3, 4) / 5 of the first two, and (0, 1) of the last: (0.6, 1.8), to length 1.
  const [east, north] = [0.6 / Math.hypot(0.6, 1.8), 1.8 / Math.hypot(0.6, 1.8)];
  expect(rounded(floats(prototypesOf(2, ...images), "p"))).toEqual(rounded(Float32Array.of(east, 0, north, 0)));
  expect(rounded(floats(prototypesOf(3, ...images), "p"))).toEqual(rounded(floats(prototypesOf(null, ...images), "p")));
});

test("P-10: the two agree where the data set is one batch", () => {
  const batch = [3, -1, 4, 2];
  const [pixels, both] = [prototypesOf(null, batch), prototypesOf(1, batch)];
  expect(rounded(floats(both, "p"))).toEqual(rounded(floats(pixels, "p")));
});
