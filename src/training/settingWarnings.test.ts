import { expect, test } from "vitest";
import { profileNames, resolveConfig } from "../runs/config.js";
import { requireSteps, settingWarnings } from "./settingWarnings.js";

const sizes = [{ width: 640, height: 480, images: 9 }];
const warned = (settings: object): string[] => settingWarnings(resolveConfig({ source: "x", ...settings }), { sizes });

test("settings that are hardly meant are pointed out before the first step", () => {
  expect(warned({ learningRate: 10 })).toEqual([
    "a learning rate of 10 is far above what trains well with AdamW: 0.0001 to 0.001",
  ]);
  expect(warned({ targets: ["y"], options: { training: { learningRate: 0.02 } } })).toHaveLength(1);
  expect(warned({ view: { height: 192, crop: [256, 256] } })).toEqual([
    "views are 256 pixels high and images 192: about 25 % of each view is padding",
  ]);
  expect(warned({ view: { height: 1024 } })).toEqual([
    "images are 480 pixels high and scaled up to 1024, which shows nothing more",
  ]);
});

test("no profile is warned of", () => {
  expect(warned({})).toEqual([]);
  for (const profile of profileNames) expect(warned({ targets: ["y"], profile }), profile).toEqual([]);
});

test("a training without a single step is refused, where it does not take over weights", () => {
  const nothing = { source: "x", targets: ["y"], options: { training: { pretraining: 0, adaptation: 0 } } };
  expect(() => requireSteps(resolveConfig(nothing))).toThrow("there is no step to train");
  requireSteps(resolveConfig({ ...nothing, weights: "first.safetensors" }));
  requireSteps(resolveConfig({ source: "x" }));
});
