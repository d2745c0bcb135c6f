import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { input } from "../../engine/graph/value.js";
import { int64 } from "../../engine/tensor/hostTensor.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import { type LabelRule, labelCells, thingsAmong } from "./labelCells.js";

const [ROAD, WALL, POLE] = [0, 1, 2];

/** The label of one cell of 4 x 4 pixels, given as how many pixels carry which label. */
async function cellOf(rule: LabelRule, counts: readonly (readonly [label: number, pixels: number])[]): Promise<number> {
  const labels = input("labels", { dtype: "int64", shape: [1, 4, 4] });
  const cells = labelCells(labels, { classes: 3, side: 4, rule, things: [POLE] });
  const pixels = counts.flatMap(([label, count]) => Array.from({ length: count }, () => label));
  const { y } = await evaluateOnce({ y: cells }, { labels: int64([1, 4, 4], pixels) });
  expect(y!.shape).toEqual([1, 1, 1]);
  return Number(y!.data[0]);
}

test("P-2: two pixels of pole outweigh fourteen of road", async () => {
  const thinPole = [
    [ROAD, 14],
    [POLE, 2],
  ] as const;
  expect(await cellOf("weighted-mode", thinPole)).toBe(POLE);
  expect(await cellOf("mode", thinPole)).toBe(ROAD);
  expect(await cellOf("nearest", thinPole)).toBe(ROAD);
});

test("P-2: void counts like road, and a cell with more void than anything else is void", async () => {
  expect(
    await cellOf("weighted-mode", [
      [VOID_LABEL, 9],
      [ROAD, 7],
    ]),
  ).toBe(VOID_LABEL);
  expect(
    await cellOf("weighted-mode", [
      [VOID_LABEL, 9],
      [POLE, 1],
      [ROAD, 6],
    ]),
  ).toBe(POLE);
  expect(await cellOf("weighted-mode", [[VOID_LABEL, 16]])).toBe(VOID_LABEL);
});

test("P-2: a tie goes to a class before void, and to the lower class", async () => {
  expect(
    await cellOf("mode", [
      [VOID_LABEL, 8],
      [WALL, 8],
    ]),
  ).toBe(WALL);
  expect(
    await cellOf("mode", [
      [WALL, 8],
      [ROAD, 8],
    ]),
  ).toBe(ROAD);
});

test("P-2: nearest takes the first pixel of each cell, void or not", async () => {
  const labels = input("labels", { dtype: "int64", shape: [2, 4, 4] });
  const cells = labelCells(labels, { classes: 3, side: 2, rule: "nearest", things: [] });
  const first = [0, 9, 1, 9, 9, 9, 9, 9, 2, 9, VOID_LABEL, 9, 9, 9, 9, 9];
  const { y } = await evaluateOnce({ y: cells }, { labels: int64([2, 4, 4], [...first, ...first]) });
  expect([...y!.data].map(Number)).toEqual([0, 1, 2, VOID_LABEL, 0, 1, 2, VOID_LABEL]);
});

test("P-2: things are known by their Cityscapes names", () => {
  expect(thingsAmong(["road", "pole", "sky", "car"])).toEqual([1, 3]);
});
