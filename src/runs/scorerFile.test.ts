import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { withFolder } from "../../test/folders.js";
import { float32 } from "../engine/tensor/hostTensor.js";
import { fingerprintOf } from "./fingerprint.js";
import { loadScorer, saveScorer, scorerPath } from "./scorerFile.js";

const fitted = { tensors: { means: float32([2, 2], [1, 2, 3, 4]) }, remarks: ["no pixel of train in the source"] };
const origin = { method: "mahalanobis", key: "abc" };

test("B-13: what a scorer learned can be saved and read again, remarks and all", () =>
  withFolder(async (folder) => {
    expect(await loadScorer(folder, origin)).toBeNull();
    await saveScorer(folder, origin, fitted);
    expect(await loadScorer(folder, origin)).toEqual(fitted);
  }));

test("B-13: a scorer that was fitted to something else is not used, and neither is a damaged file", () =>
  withFolder(async (folder) => {
    await saveScorer(folder, origin, fitted);
    expect(await loadScorer(folder, { ...origin, key: "def" })).toBeNull();
    await writeFile(scorerPath(folder, "mahalanobis"), "nonsense");
    expect(await loadScorer(folder, origin)).toBeNull();
  }));

test("F1: a scorer with a single bit changed is not used", () =>
  withFolder(async (folder) => {
    await saveScorer(folder, origin, fitted);
    const path = scorerPath(folder, origin.method);
    const bytes = await readFile(path);
    for (let bit = 0; bit < 8 * bytes.length; bit += 5) {
      const hit = Buffer.from(bytes);
      hit[bit >> 3] = hit[bit >> 3]! ^ (1 << (bit & 7));
      await writeFile(path, hit);
      expect(await loadScorer(folder, origin), `bit ${bit}`).toBeNull();
    }
  }));

test("a fingerprint depends on names, shapes and numbers, and not on their order", () => {
  const [a, b] = [float32([2], [1, 2]), float32([2], [3, 4])];
  expect(fingerprintOf({ a, b })).toBe(fingerprintOf({ b, a }));
  expect(fingerprintOf({ a, b })).not.toBe(fingerprintOf({ a: b, b: a }));
  expect(fingerprintOf({ a })).not.toBe(fingerprintOf({ a: float32([1, 2], [1, 2]) }));
});
