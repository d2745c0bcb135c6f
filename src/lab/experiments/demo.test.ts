import { expect, test } from "vitest";
import { askedMethods } from "../evaluate/methodNames.js";
import { gammaStages } from "../train/gammaStages.js";
import { demoConfig, demoMethods, demoTest } from "./demo.js";

test("the demo pre-trains on the city, adapts to the place it is tested in, and needs no further training", () => {
  const config = demoConfig(0);
  expect(gammaStages(config).map(({ name, steps }) => [name, steps])).toEqual([
    ["pretraining", 480],
    ["warm-up", 256],
    ["adaptation", 64],
  ]);
  const placeOf = (spec: string): string => /^scenes:(\w+)/.exec(spec)![1]!;
  expect([config.source, ...config.targets, demoTest].map(placeOf)).toEqual(["city", "forest", "forest"]);
  expect(new Set(askedMethods([config], demoMethods.join(",")))).toEqual(new Set(demoMethods));
});
