import { expect, test } from "vitest";
import { askedMethods } from "../evaluation/askedMethods.js";
import { gammaStages } from "../training/gammaStages.js";
import { demoConfig, demoMethods, demoTest } from "./demo.js";

const stepsOf = (fromScratch: boolean) =>
  gammaStages(demoConfig(0, { fromScratch })).map(({ name, steps }) => [name, steps]);

test("the demo adapts the shipped network, or pre-trains one first", () => {
  expect(stepsOf(false)).toEqual([
    ["warm-up", 30],
    ["adaptation", 270],
  ]);
  expect(stepsOf(true)[0]).toEqual(["pretraining", 600]);
});

test("it is tested where it was adapted to, on images of another split, and needs no further training", () => {
  const config = demoConfig(0, { fromScratch: false });
  const placeOf = (spec: string): string => /^scenes:(\w+)/.exec(spec)![1]!;
  expect([config.source, ...config.targets, demoTest].map(placeOf)).toEqual(["city", "dusk", "dusk"]);
  expect(demoTest).toContain("split=test");
  const asked = askedMethods([config], demoMethods.join(","));
  expect(new Set(asked.map(({ name }) => name))).toEqual(new Set(demoMethods));
});
