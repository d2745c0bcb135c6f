import { expect, test } from "vitest";
import { UserError } from "../platform/errors.js";
import { auroc, averagePrecision } from "./areas.js";
import { atThreshold, fBeta } from "./atThreshold.js";
import { maxAmd, maxF05 } from "./best.js";
import { official500 } from "./official500.js";
import { resolutions, SketchBuilder } from "./sketchSet.js";
import { summarise } from "./summarise.js";
import { sketchOf } from "./testing/pixels.js";
import { NOT_SCORED, RIGHT, WRONG } from "./verdict.js";

const names = { dataset: "streets", method: "guess" };

/** So many pixels of one uncertainty, the first `rights` of them right. */
const constant = (u: number, pixels: number, rights: number) =>
  sketchOf([Array.from({ length: pixels }, (_, i) => ({ u: Math.fround(u), right: i < rights }))]);

for (const u of [0.3, 0, -7, 1e30]) {
  test(`a constant score of ${u} has AUROC 0.5 and average precision equal to the accuracy`, () => {
    const { total } = constant(u, 40, 25);
    expect(auroc(total)).toEqual({ value: 0.5, bound: 0 });
    expect(averagePrecision(total)).toEqual({ value: 0.625, bound: 0 });
  });
}

test("a constant score gets half its accuracy from 500 linear thresholds, as printed for DUM (Z-24)", () => {
  for (const [printed, rights] of [
    [0.366, 732],
    [0.3185, 637],
  ] as const) {
    const { total } = constant(0.42, 1000, rights);
    expect(official500(total).value).toBeCloseTo(printed, 12);
    expect(averagePrecision(total).value).toBeCloseTo(2 * printed, 12);
  }
});

test("500 linear thresholds need a score that is not negative", () => {
  expect(official500(constant(-1, 4, 2).total)).toMatchObject({
    value: null,
    reason: expect.stringContaining("negative"),
  });
});

test("calling every pixel certain gives A_MD = a and F0.5 = 1.25a / (1 + 0.25a), the paper's DUM rows (E-10)", () => {
  for (const [rights, f05] of [
    [625, "0.676"],
    [635, "0.685"],
    [596, "0.648"],
  ] as const) {
    const here = atThreshold(constant(0.5, 1000, rights).total, Number.POSITIVE_INFINITY)!;
    const a = rights / 1000;
    expect(here.amd.value).toBeCloseTo(a, 12);
    expect(here.pac.value).toBeCloseTo(a, 12);
    expect(here.f05.value).toBeCloseTo((1.25 * a) / (1 + 0.25 * a), 12);
    // 0.635 prints as 0.686 in the paper: its accuracy is itself rounded, and 0.6354 already does.
    expect(Math.abs(here.f05.value - Number(f05))).toBeLessThan(0.001);
  }
});

test("F_β weighs missed pixels with β², without which the paper's numbers are impossible (Z-25)", () => {
  expect(fBeta({ tp: 6, fp: 2, fn: 4, tn: 0 }, 0.5)).toBeCloseTo(7.5 / (7.5 + 2 + 1), 12);
  expect(fBeta({ tp: 6, fp: 2, fn: 4, tn: 0 }, 1)).toBeCloseTo(12 / 18, 12);
  expect(fBeta({ tp: 0, fp: 0, fn: 4, tn: 1 })).toBe(0);
});

test("without a wrong pixel AUROC is null and says why, and nothing is NaN", () => {
  const result = summarise(constant(0.2, 10, 10), {
    ...names,
    gamma: { gamma: 0.8, threshold: 0.2 },
    curves: 50,
    intervals: {},
  });
  expect(result).toMatchObject({
    auroc: null,
    auprError: null,
    fpr95: null,
    aupr: 1,
    accuracy: 1,
    maxAmd: { value: 1, pac: 1 },
  });
  expect(result.reasons).toMatchObject({
    auroc: "no wrong pixel",
    auprError: "no wrong pixel",
    fpr95: "no wrong pixel",
  });
  expect(JSON.stringify(result, (_, x) => (Number.isNaN(x) ? "NaN" : x))).not.toContain("NaN");
});

test("without a right pixel AUROC and AUPR are null and say why", () => {
  const result = summarise(constant(0.2, 10, 0), { ...names, curves: 50 });
  expect(result).toMatchObject({
    auroc: null,
    aupr: null,
    accuracy: 0,
    maxAmd: { value: 1, pac: 0 },
    maxF05: { value: 0 },
  });
  expect(result.reasons).toMatchObject({ auroc: "no right pixel", aupr: "no right pixel" });
});

test("without any pixel every number is null and has a reason", () => {
  const result = summarise(new SketchBuilder().finish(), {
    ...names,
    gamma: { gamma: 0.5, threshold: 0.5 },
    curves: 50,
    intervals: {},
  });
  for (const name of ["accuracy", "auroc", "aupr", "aurc", "augrc", "maxAmd", "maxF05", "fpr95"] as const) {
    expect(result[name], name).toBeNull();
    expect(result.reasons[name], name).toBe("no scored pixel");
  }
  expect(result.atGamma).toBeNull();
});

test("the largest p(a,c) is the accuracy (E-6)", () => {
  const { total } = constant(0.2, 10, 7);
  expect(atThreshold(total, Number.POSITIVE_INFINITY)!.pac.value).toBe(0.7);
  expect(atThreshold(total, Number.NEGATIVE_INFINITY)!).toMatchObject({
    pac: { value: 0 },
    precision: { value: null, reason: "no certain pixel" },
  });
});

test("of equally good thresholds the one with more right and certain pixels is reported", () => {
  // Nothing certain, and everything certain: both are right about half of the pixels.
  expect(maxAmd(constant(0.25, 10, 5).total)).toMatchObject({ value: 0.5, pac: 0.5, threshold: 0.25 });
});

test("where nothing should be certain the threshold lies just below the smallest uncertainty", () => {
  const found = maxAmd(constant(0, 10, 2).total);
  expect(found).toMatchObject({ value: 0.8, pac: 0 });
  expect((found as { threshold: number }).threshold).toBeLessThan(0);
  expect(maxF05(constant(0, 10, 0).total)).toMatchObject({ value: 0, pac: 0 });
});

for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
  test(`an uncertainty of ${bad} is refused, naming image and pixel`, () => {
    const builder = new SketchBuilder();
    const add = () => builder.add("london/0042", Float32Array.of(0.1, bad), Uint8Array.of(RIGHT, WRONG));
    expect(add).toThrow(UserError);
    expect(add).toThrow(`london/0042: uncertainty ${bad} at pixel 1`);
  });
}

test("an image that was refused may be given again, and the first attempt leaves no trace", () => {
  const builder = new SketchBuilder(resolutions.fine);
  expect(() => builder.add("a", Float32Array.of(0.1, Number.NaN), Uint8Array.of(RIGHT, RIGHT))).toThrow(UserError);
  builder.add("a", Float32Array.of(0.1, 0.2), Uint8Array.of(RIGHT, WRONG));
  expect(builder.finish().total).toMatchObject({ rights: 1, wrongs: 1 });
});

test("pixels that are not scored may hold anything, and an image without scored pixels is skipped and counted", () => {
  const builder = new SketchBuilder();
  builder.add("empty", Float32Array.of(Number.NaN), Uint8Array.of(NOT_SCORED));
  builder.add("full", Float32Array.of(0.5, Number.NaN, 0.7), Uint8Array.of(RIGHT, NOT_SCORED, WRONG));
  const set = builder.finish();
  expect(set.skipped).toEqual(["empty"]);
  expect(summarise(set, names)).toMatchObject({ images: 1, skipped: 1, pixels: 2, auroc: 1 });
});

test("sizes that differ are refused, and so is the same image twice", () => {
  const builder = new SketchBuilder();
  expect(() => builder.add("a", new Float32Array(3), new Uint8Array(4))).toThrow(
    "a: 3 uncertainties, but 4 labelled pixels",
  );
  builder.add("a", new Float32Array(1), new Uint8Array(1));
  expect(() => builder.add("a", new Float32Array(1), new Uint8Array(1))).toThrow('image "a" was counted twice');
});

test("minus zero and zero are the same uncertainty", () => {
  const { total } = sketchOf([
    [
      { u: -0, right: true },
      { u: 0, right: false },
    ],
  ]);
  expect(auroc(total)).toEqual({ value: 0.5, bound: 0 });
});
