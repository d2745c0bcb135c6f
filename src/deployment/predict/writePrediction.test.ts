import { expect, test } from "vitest";
import { encodeUncertainty } from "../../evaluation/results/examples.js";
import { atLeast } from "../model/segment.js";
import { uncertaintyCodes } from "./writePrediction.js";

/** Bytes that JavaScript objects take more of, once something was computed: arrays of numbers lie elsewhere. */
function grown(compute: () => unknown): number {
  const before = process.memoryUsage().heapUsed;
  const made = compute();
  return made === null ? 0 : process.memoryUsage().heapUsed - before;
}

test("maps of a large image are computed without an object for each pixel", () => {
  const values = new Float32Array(4_000_000).map((_, i) => i / 4_000_000);
  const levels = Array.from({ length: 256 }, (_, k) => k / 255);
  for (const compute of [
    () => uncertaintyCodes(values, "softmax"),
    () => atLeast(values, 0.5),
    () => encodeUncertainty(values, levels),
  ]) {
    expect(grown(compute)).toBeLessThan(8e6);
  }
});
