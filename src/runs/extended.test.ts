import { expect, test } from "vitest";
import { stagesOf } from "../training/stages.js";
import { resolveConfig, type TrainConfig } from "./config.js";
import { goingOn, totalSteps } from "./extended.js";

const supervised = (more: object) => resolveConfig({ source: "scenes:city", steps: 100, ...more });
const gamma = (adaptation: number, more: object = {}) =>
  resolveConfig({
    method: "gamma-ssl",
    source: "scenes:city",
    targets: ["scenes:town", "scenes:forest"],
    options: { training: { pretraining: 50, adaptation, warmUp: 0.1 } },
    ...more,
  });

/** The config of a run that is given more steps. */
function more(asked: TrainConfig, found: TrainConfig): TrainConfig {
  const going = goingOn(asked, found);
  if (going.kind !== "more") throw new Error(going.kind);
  return going.config;
}
const kind = (asked: TrainConfig, found: TrainConfig): string => goingOn(asked, found).kind;

test("a run with more steps goes on in a further stage; the same steps are the same run; fewer, or anything else, is another", () => {
  const found = supervised({});
  expect(goingOn(supervised({}), found)).toEqual({ kind: "same", config: found, since: 0 });
  const once = more(supervised({ steps: 150 }), found);
  expect(once).toEqual({ ...found, extended: [50] });
  expect(goingOn(supervised({ steps: 150 }), once)).toEqual({ kind: "same", config: once, since: 0 });
  const twice = more(supervised({ steps: 170 }), once);
  expect(twice).toEqual({ ...found, extended: [50, 20] });
  expect(totalSteps(twice)).toBe(170);
  expect(goingOn(resolveConfig(twice), twice)).toEqual({ kind: "same", config: twice, since: 0 });
  expect(goingOn(supervised({ steps: 149 }), once)).toEqual({
    kind: "other",
    differences: ["steps: 149 here, 150 there"],
  });
  expect(kind(supervised({ steps: 150, seed: 1 }), found)).toBe("other");
  expect(kind(gamma(150), found)).toBe("other");
});

test("the commands that a run was trained with before it was given more steps are still good", () => {
  const twice = supervised({ extended: [50, 20] });
  expect(goingOn(supervised({}), twice)).toEqual({ kind: "same", config: twice, since: 70 });
  expect(goingOn(supervised({ steps: 150 }), twice)).toEqual({ kind: "same", config: twice, since: 20 });
  expect(kind(supervised({ steps: 120 }), twice)).toBe("other");
});

test("the stages before an extension stay as they were, the warm-up that is a share of them included", () => {
  const found = gamma(100);
  const longer = more(gamma(130), found);
  const names = stagesOf(longer).map(({ name, steps }) => `${name} ${steps}`);
  expect(names).toEqual(["pretraining 50", "warm-up 10", "adaptation-1 90", "adaptation-2 100", "extension-1 30"]);
  expect([totalSteps(found), totalSteps(longer)]).toEqual([250, 280]);
  // Without a second stage there is nothing to go on with.
  const source = resolveConfig({ ...gamma(100), ablation: "no-ssl" });
  expect(kind(source, source)).toBe("same");
  expect(kind(gamma(100), source)).toBe("other");
});

test("added steps have the learning rate that a training of all steps would have there", () => {
  const [first, second, third] = stagesOf(supervised({ learningRate: 1, extended: [50, 50] }));
  const poly = (step: number, steps: number): number => (1 - (step - 1) / steps) ** 0.9;
  expect([first!.rate(100, 100), second!.rate(1, 50), second!.rate(50, 50), third!.rate(1, 50)]).toEqual([
    poly(100, 100),
    poly(101, 150),
    poly(150, 150),
    poly(151, 200),
  ]);
});
