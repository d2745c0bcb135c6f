import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { withFolder } from "../../test/folders.js";
import { float32 } from "../engine/tensor/hostTensor.js";
import { fingerprintOf } from "../runs/fingerprint.js";
import { loadScorer, saveScorer, scorerPath } from "./scorerFile.js";

const fitted = { tensors: { means: float32([2, 2], [1, 2, 3, 4]) }, remarks: ["no pixel of train in the source"] };
const origin = { method: "mahalanobis", network: "abc", source: "scenes:city", data: "123" };

test("B-13: what a scorer learned can be saved and read again, remarks and all", () =>
  withFolder(async (folder) => {
    expect(await loadScorer(folder, origin)).toBeNull();
    await saveScorer(folder, origin, fitted);
    expect(await loadScorer(folder, origin)).toEqual(fitted);
  }));

test("B-13: a scorer is refused on a network it was not fitted on, on another source, and after its source changed", () =>
  withFolder(async (folder) => {
    await saveScorer(folder, origin, fitted);
    await expect(loadScorer(folder, { ...origin, network: "def" })).rejects.toThrow(
      "was fitted on other weights (abc), not on these (def)",
    );
    await expect(loadScorer(folder, { ...origin, source: "camvid:x" })).rejects.toThrow(
      "learned from scenes:city, not from camvid:x",
    );
    expect(await loadScorer(folder, { ...origin, data: "124" })).toBeNull();
    await writeFile(scorerPath(folder, "mahalanobis"), "nonsense");
    await expect(loadScorer(folder, origin)).rejects.toThrow("mahalanobis.safetensors");
  }));

test("a fingerprint depends on names, shapes and numbers, and not on their order", () => {
  const [a, b] = [float32([2], [1, 2]), float32([2], [3, 4])];
  expect(fingerprintOf({ a, b })).toBe(fingerprintOf({ b, a }));
  expect(fingerprintOf({ a, b })).not.toBe(fingerprintOf({ a: b, b: a }));
  expect(fingerprintOf({ a })).not.toBe(fingerprintOf({ a: float32([1, 2], [1, 2]) }));
});
