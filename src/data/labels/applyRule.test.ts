import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { type MadePng, makePng } from "../../../test/makePng.js";
import { DataError } from "../images/dataError.js";
import { decodePng } from "../images/png.js";
import { applyRule } from "./applyRule.js";
import { builtInLabellings } from "./builtIn.js";
import { type LabelRule, UNKNOWN_LABEL, VOID_LABEL } from "./labelSpace.js";

function apply(png: Partial<MadePng> & Pick<MadePng, "values">, rule: LabelRule): number[] {
  const bytes = makePng({ width: png.values.length / (png.type === 2 ? 3 : 1), height: 1, depth: 8, type: 0, ...png });
  const raw = decodePng(bytes, "gt/7.png", (packed) => inflateSync(packed));
  return [...applyRule(raw, rule, "gt/7.png").labels];
}

function refusal(work: () => unknown): DataError {
  try {
    work();
  } catch (error) {
    if (error instanceof DataError) return error;
  }
  throw new Error("nothing was refused");
}

const { rule: trainIds } = builtInLabellings["cityscapes-train-ids"];
const { rule: labelIds } = builtInLabellings["cityscapes-ids"];
const { rule: colours } = builtInLabellings["comma10k-colours"];

test("ids, 16-bit ids and palette indices are looked up", () => {
  expect(apply({ values: [0, 18, 255] }, trainIds)).toEqual([0, 18, VOID_LABEL]);
  expect(apply({ values: [7, 14, 33], depth: 16 }, labelIds)).toEqual([0, UNKNOWN_LABEL, 18]);
  // Both indices have the same colour: only the index can tell them apart.
  const palette = [...Array(14).keys()].map(() => [1, 1, 1] as const);
  expect(apply({ values: [3, 13], depth: 4, type: 3, palette }, trainIds)).toEqual([3, 13]);
});

test("colours are looked up in RGB, and through a palette", () => {
  expect(apply({ values: [64, 32, 32, 204, 0, 255], type: 2 }, colours)).toEqual([0, VOID_LABEL]);
  const palette = [
    [204, 0, 255],
    [0, 255, 102],
  ] as const;
  expect(apply({ values: [1, 0], depth: 1, type: 3, palette }, colours)).toEqual([3, VOID_LABEL]);
});

test("a value that is not listed is named with its pixel and with what is", () => {
  const error = refusal(() => apply({ values: [0, 0, 40, 0], width: 2, height: 2 }, trainIds));
  expect(error.message).toBe("gt/7.png: holds id 40 at (0, 1); listed are 0 to 18, 255");
  expect(error).toMatchObject({ code: "label-value", file: "gt/7.png" });
  expect(error.hint).toContain("list 40 as a class, unknown or void");
  expect(refusal(() => apply({ values: [65535], depth: 16 }, labelIds)).message).toContain("holds id 65535 at (0, 0)");
  expect(refusal(() => apply({ values: [1, 2, 3], type: 2 }, colours)).message).toContain(
    "holds colour 010203 at (0, 0)",
  );
});

test("label ids where train ids were expected are recognised", () => {
  const error = refusal(() => apply({ values: [7, 26, 33] }, trainIds));
  expect(error.message).toContain("All its values are cityscapes-ids");
});

test("a stray value among a hundred that fit is a stray, not another label space", () => {
  const values = Array.from({ length: 100 }, (_, i) => i % 19);
  values[50] = 26;
  const error = refusal(() => apply({ values }, trainIds));
  expect(error.message).toBe("gt/7.png: holds id 26 at (50, 0); listed are 0 to 18, 255");
  expect(error.fits).toBeUndefined();
  expect(error.hint).toContain("list 26 as a class, unknown or void");
  values.fill(26, 50, 60);
  expect(refusal(() => apply({ values }, trainIds)).message).toContain("All its values are");
});

test("a mask of 0 and 255, instance ids and colours in place of ids are recognised", () => {
  const { rule } = builtInLabellings["camvid-ids"];
  expect(refusal(() => apply({ values: [0, 255, 255] }, rule)).message).toContain("a mask of one thing");
  expect(refusal(() => apply({ values: [7, 26001], depth: 16 }, labelIds)).message).toContain("instance ids");
  const coloured = refusal(() => apply({ values: [128, 64, 128, 0, 0, 142], type: 2 }, trainIds));
  expect(coloured).toMatchObject({ code: "label-kind" });
  expect(coloured.message).toContain("holds colours, wanted ids. All its values are cityscapes-colours");
  expect(refusal(() => apply({ values: [0, 11], depth: 4 }, colours)).message).toContain("All its values are c");
});

test("a few stray colours are forgiven where a rule says so, and no more", () => {
  const { rule } = builtInLabellings["camvid-colours"];
  const values = Array.from({ length: 3000 }, () => [128, 64, 128]);
  values[5] = [128, 128, 26];
  expect(apply({ values: values.flat(), type: 2 }, rule).slice(4, 7)).toEqual([3, VOID_LABEL, 3]);
  values.fill([128, 128, 26], 10, 13);
  expect(refusal(() => apply({ values: values.flat(), type: 2 }, rule)).message).toContain(
    "holds colour 80801a at (5, 0)",
  );
});
