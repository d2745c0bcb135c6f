import { expect, test } from "vitest";
import { ConfidenceHistogram } from "./calibration.js";
import { ConfusionMatrix } from "./confusion.js";
import { NOT_SCORED, RIGHT, WRONG } from "./verdict.js";

test("IoU is intersection over union over the whole data set, not a mean over images", () => {
  const [one, two] = [new ConfusionMatrix(3), new ConfusionMatrix(3)];
  one.add("a", Uint8Array.of(0, 0, 1, 255), Uint8Array.of(0, 1, 1, 0));
  two.add("b", Uint8Array.of(0, 1, 1), Uint8Array.of(0, 0, 9));
  one.merge(two);
  expect(one.quality()).toEqual({
    accuracy: 3 / 6,
    meanIou: (2 / 4 + 1 / 4) / 2,
    perClass: [
      { iou: 2 / 4, accuracy: 2 / 3, pixels: 3 },
      { iou: 1 / 4, accuracy: 1 / 3, pixels: 3 },
      { iou: null, accuracy: null, pixels: 0 },
    ],
  });
});

test("without a labelled pixel there is no accuracy, rather than NaN", () => {
  expect(new ConfusionMatrix(1).quality()).toMatchObject({ accuracy: null, meanIou: null });
});

test("matrices of different class lists do not add up", () => {
  expect(() => new ConfusionMatrix(2).merge(new ConfusionMatrix(3))).toThrow("2 and 3 classes");
  expect(() => new ConfusionMatrix(2).add("a", new Uint8Array(2), new Uint8Array(3))).toThrow("a: 2 labels");
});

test("ECE is the gap between confidence and accuracy, bin by bin, and adds up over parts", () => {
  const [one, two] = [new ConfidenceHistogram(10), new ConfidenceHistogram(10)];
  one.add("a", Float32Array.of(0.75, 0.75, 1), Uint8Array.of(RIGHT, WRONG, RIGHT));
  two.add("b", Float32Array.of(0.25, Number.NaN), Uint8Array.of(RIGHT, NOT_SCORED));
  one.merge(two);
  expect(one.ece()).toBeCloseTo((2 * 0.25 + 0 + 0.75) / 4, 12);
  expect(new ConfidenceHistogram().ece()).toBeNull();
  expect(() => one.add("c", Float32Array.of(1.5), Uint8Array.of(RIGHT))).toThrow("c: confidence 1.5 at pixel 0");
});

test("the Brier score is the squared distance of confidence from what came true, and adds up over parts", () => {
  const [one, two] = [new ConfidenceHistogram(), new ConfidenceHistogram()];
  one.add("a", Float32Array.of(1, 1, 0.5), Uint8Array.of(RIGHT, WRONG, WRONG));
  two.add("b", Float32Array.of(0.25, 0.5), Uint8Array.of(RIGHT, NOT_SCORED));
  one.merge(two);
  expect(one.brier()).toBe((0 + 1 + 0.25 + 0.5625) / 4);
  expect(new ConfidenceHistogram().brier()).toBeNull();
});
