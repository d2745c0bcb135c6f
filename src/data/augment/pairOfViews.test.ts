import { expect, test } from "vitest";
import { interpolation } from "../../engine/tensor/interpolation.js";
import { localAxis } from "./axis.js";
import { alignment } from "./pairOfViews.js";

test("without a crop, scores are only brought to full size", () => {
  expect(alignment(8, 2, null)).toEqual(interpolation(4, 8, "corners").data);
  expect([...alignment(2, 1, null)]).toEqual([1, 0, 0, 1]);
});

test.each([1, 2, 4])("A-2: with a crop it is the crop's matrix times the upsampling's, at stride %i", (stride) => {
  const [pixels, scores] = [16, 16 / stride];
  for (const span of [
    { start: 0, length: 16 },
    { start: 5, length: 7 },
    { start: 15, length: 1 },
  ]) {
    const crop = interpolation(pixels, pixels, "corners", span).data as Float32Array;
    const upsampling = interpolation(scores, pixels, "corners").data as Float32Array;
    const composed = alignment(pixels, stride, localAxis(pixels, span));
    for (let sample = 0; sample < pixels; sample++) {
      for (let score = 0; score < scores; score++) {
        let expected = 0;
        for (let k = 0; k < pixels; k++) expected += crop[sample * pixels + k]! * upsampling[k * scores + score]!;
        expect(composed[sample * scores + score]).toBeCloseTo(expected, 6);
      }
    }
  }
});
