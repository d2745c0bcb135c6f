import { expect, test } from "vitest";
import { type GammaConfig, resolveConfig } from "./config.js";
import { departures } from "./departures.js";

const config = (settings: object): GammaConfig =>
  resolveConfig({ method: "gamma-ssl", source: "scenes:city", targets: ["scenes:town"], ...settings }) as GammaConfig;

test("paper departs from itself in nothing; what a config changes is named with the paper's value", () => {
  expect(departures(config({ profile: "paper" }))).toEqual([]);
  const changed = config({
    profile: "paper",
    view: { height: 96, crop: [96, 192] },
    options: { teacher: { kind: "averaged", keep: 0.99 }, training: { learningRate: 0.001 } },
  });
  expect(departures(changed)).toEqual([
    "teacher: kind averaged (self), keep 0.99 (none)",
    "training: learningRate 0.001 (0.0005)",
    "view: height 96 (480), crop 96 to 192 (256 to 256)",
  ]);
});

test("small keeps every part of the method: M_γ, L_u, L_p, and who answers", () => {
  const { options } = config({});
  expect(options.certainty).toEqual({ kind: "gamma" });
  expect(options.branches).toEqual({ target: "head", query: "prototypes" });
  expect(options.weights.uniformity).toBeGreaterThan(0);
  expect(options.weights.prototype).toBeGreaterThan(0);
  expect(options.training.warmUp).toBeLessThanOrEqual(0.3);
});
