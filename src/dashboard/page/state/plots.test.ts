import { expect, test } from "vitest";
import { smoothed } from "../../../report/smoothed.js";
import type { Curve } from "../../protocol.js";
import { isFirst, livePlots } from "./plots.js";

const curve = (values: readonly number[], spread = 0): Curve => ({
  steps: values.map((_, i) => i + 1),
  mean: values,
  low: values.map((value) => value - spread),
  high: values.map((value) => value + spread),
});
const raw = { smoothing: 0, share: 1 };

test("a plot has a curve for each run that logged it, in the run's colour; the second number of a pair is dotted", () => {
  const runs = [
    { name: "a", index: 0, stages: undefined, curves: { certain: curve([0.1, 0.2]), consistent: curve([0.3, 0.4]) } },
    {
      name: "c",
      index: 2,
      stages: undefined,
      curves: { certain: curve([0.5]), "validation.head.auroc": curve([0.7]) },
    },
  ];
  const odd = { name: "d", index: 3, stages: undefined, curves: JSON.parse('{"__proto__":{"steps":[],"mean":[]}}') };
  expect(livePlots([...runs, odd], raw).map(({ key }) => key)).toEqual(["validation.auroc", "shares"]);
  const plots = livePlots(runs, raw);
  expect(plots.map(({ key }) => key)).toEqual(["validation.auroc", "shares"]);
  const { series, meaning, y } = plots[1]!.plot;
  expect(series.map(({ label, look }) => [label, look])).toEqual([
    ["a, certain", { colour: 0, dotted: false }],
    ["a, consistent", { colour: 0, dotted: true }],
    ["c, certain", { colour: 2, dotted: false }],
  ]);
  expect(meaning).toBe("Solid: certain; dotted: consistent.");
  expect([y.from <= 0.1, y.to >= 0.5]).toEqual([true, true]);
});

test("axes have room for the extremes of joined steps; the last part alone has axes of its own", () => {
  const values = [100, ...Array.from({ length: 99 }, () => 1)];
  const runs = [{ name: "a", index: 0, stages: undefined, curves: { loss: curve(values, 0.5) } }];
  const [whole] = livePlots(runs, raw);
  expect(whole!.plot.y.to).toBeGreaterThan(100.5);
  expect(whole!.plot.series[0]!.band![0]).toEqual({ x: 1, low: 99.5, high: 100.5 });
  const [part] = livePlots(runs, { smoothing: 0, share: 0.5 });
  expect(part!.plot.x).toMatchObject({ from: 50, to: 100 });
  expect(part!.plot.y.to).toBeLessThan(2);
  expect(part!.plot.series[0]!.points[0]!.x).toBe(50);
});

test("smoothing leaves validations and the learning rate alone, and begins with the first value", () => {
  const values = [4, 0, 4, 0];
  expect(smoothed(values, 0)).toEqual(values);
  expect(smoothed(values, 0.5)[0]).toBe(4);
  expect(smoothed(values, 0.5)[1]).toBeCloseTo((0.25 * 4) / 0.75, 12);
  expect(smoothed([3, 3, 3], 0.9).map((value) => Number(value.toFixed(12)))).toEqual([3, 3, 3]);
  const names = ["loss", "validation.head.accuracy", "learningRate"];
  const curves = Object.fromEntries(names.map((name) => [name, curve(values)]));
  const plots = livePlots([{ name: "a", index: 0, stages: undefined, curves }], { smoothing: 0.5, share: 1 });
  const drawn = new Map(plots.map(({ key, plot }) => [key, plot.series[0]!]));
  expect(drawn.get("learningRate")!.points.map(({ y }) => y)).toEqual(values);
  expect(drawn.get("validation.accuracy")!.points.map(({ y }) => y)).toEqual(values);
  expect(drawn.get("loss")!.points[1]!.y).toBeCloseTo(4 / 3, 12);
  expect(drawn.get("loss")!.band!.map(({ high }) => high)).toEqual(values);
});

test("losses, γ, shares, validations and the learning rate are seen at once", () => {
  for (const key of ["loss", "loss.uniformity", "gamma", "shares", "validation.accuracy", "learningRate"])
    expect(isFirst(key), key).toBe(true);
  for (const key of ["peak", "gradientNorm", "lossless", "memory.freeBytes"]) expect(isFirst(key), key).toBe(false);
});
