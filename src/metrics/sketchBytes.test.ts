import fc from "fast-check";
import { expect, test } from "vitest";
import { UserError } from "../platform/errors.js";
import { readSketchSet, writeSketchSet } from "./sketchBytes.js";
import { addSketchSets, SketchBuilder } from "./sketchSet.js";
import { coarse, image, sketchOf } from "./testing/pixels.js";
import { NOT_SCORED, RIGHT } from "./verdict.js";

const images = fc.array(image, { maxLength: 4 });
const example = sketchOf([
  [
    { u: 0.25, right: true },
    { u: 0.5, right: false },
  ],
  [{ u: -3, right: true }],
]);

test("what was written is read back the same, nested intervals and all", () => {
  fc.assert(
    fc.property(images, coarse, (parts, resolution) => {
      const set = sketchOf(parts, resolution);
      expect(readSketchSet(writeSketchSet(set), "x.sketch")).toEqual(set);
    }),
    { numRuns: 100, seed: 1 },
  );
});

test("names of skipped images survive, in any script", () => {
  const builder = new SketchBuilder();
  builder.add("straße/東京", Float32Array.of(0), Uint8Array.of(NOT_SCORED));
  builder.add("b", Float32Array.of(0), Uint8Array.of(RIGHT));
  expect(readSketchSet(writeSketchSet(builder.finish()), "x").skipped).toEqual(["straße/東京"]);
});

test("counts beyond 32 bits survive", () => {
  const big = { ...example.total, right: Float64Array.of(2 ** 52, 1, 0), wrong: Float64Array.of(0, 0, 1) };
  const total = { ...big, low: example.total.low, rights: 2 ** 52 + 1, wrongs: 1 };
  const set = { total, images: [{ id: "a", sketch: total }], skipped: [] };
  expect(readSketchSet(writeSketchSet(set), "x")).toEqual(set);
});

test("a file cut anywhere is refused by name", () => {
  const bytes = writeSketchSet(example);
  for (let length = 0; length < bytes.length; length++) {
    expect(() => readSketchSet(bytes.slice(0, length), "half.sketch"), `${length} bytes`).toThrow(UserError);
  }
  expect(() => readSketchSet(bytes.slice(0, 20), "half.sketch")).toThrow("half.sketch: ends too early");
});

test("a changed byte gives another sketch or an error for the reader, never a crash", () => {
  const bytes = writeSketchSet(example);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = bytes.slice();
      damaged[at]! ^= change;
      try {
        const { total } = readSketchSet(damaged, "x");
        expect(Number.isSafeInteger(total.rights + total.wrongs)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
      }
    }),
    { numRuns: 2000, seed: 2 },
  );
});

test("other files, other versions and trailing bytes are refused", () => {
  const bytes = writeSketchSet(example);
  expect(() => readSketchSet(new TextEncoder().encode("PK\u0003\u0004 not one of ours"), "x")).toThrow(
    "is not a sketch file",
  );
  expect(() => readSketchSet(bytes.with(7, 2), "x")).toThrow("has version 2, this program reads version 1");
  expect(() => readSketchSet(Uint8Array.of(...bytes, 0), "x")).toThrow("more bytes than it should");
});

test("a number too large to be a count is refused before memory is asked for", () => {
  const bytes = Uint8Array.of(...writeSketchSet(example).slice(0, 8), 255, 255, 255, 255, 255, 255, 255, 255, 127);
  expect(() => readSketchSet(bytes, "x")).toThrow("too large");
  expect(() => readSketchSet(Uint8Array.of(...bytes.slice(0, 8), 255, 255, 255, 127), "x")).toThrow("ends too early");
});

test("parts add up to the same counts in any order, and the same image in two parts is refused", () => {
  fc.assert(
    fc.property(images, (parts) => {
      const sets = parts
        .map((_, i) => sketchOf([parts[i]!]))
        .map(({ total, images, skipped }, i) => ({
          total,
          images: images.map(({ sketch }) => ({ id: `${i}`, sketch })),
          skipped: skipped.map(() => `${i}`),
        }));
      expect(addSketchSets(sets.toReversed()).total).toEqual(addSketchSets(sets).total);
    }),
    { numRuns: 100, seed: 3 },
  );
  expect(() => addSketchSets([example, example])).toThrow('image "image 0" was counted twice');
});
