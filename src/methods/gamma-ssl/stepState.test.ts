import { describe, expect, test } from "vitest";
import { tinyPlan } from "../../../test/gammaBatch.js";
import { float32Of, one, steps } from "../../../test/gammaSteps.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { ablations } from "./ablations.js";
import { type GammaOptions, profiles, small } from "./options.js";
import { carryOver, gammaStep, type StepPlan } from "./step.js";

describe("the averaged teacher", () => {
  const averaged: GammaOptions = {
    ...ablations["full-regularisation"].vary(small),
    teacher: { kind: "averaged", keep: 0.75 },
  };

  test("starts where the network is and follows it", async () => {
    const step = gammaStep(tinyPlan("adaptation", averaged));
    const name = "segmentation_head.0.weight";
    const fresh = step.state.get(`teacher.${name}`)!.start(1);
    expect(fresh).toEqual(step.state.get(name)!.start(1));
    const first = await steps(step, 1);
    expect(first.state[`teacher.${name}`]!.data).toEqual(fresh.data);
    const second = await steps(step, 2);
    const [old, weight, now] = [fresh, first.state[name], second.state[`teacher.${name}`]].map((t) => floats(t, name));
    now!.forEach((value, i) => {
      expect(value).toBeCloseTo(0.75 * old![i]! + 0.25 * weight![i]!, 6);
    });
  });

  test("is a frozen copy where it keeps all of itself", async () => {
    const step = gammaStep(tinyPlan("adaptation", { ...averaged, teacher: { kind: "averaged", keep: 1 } }));
    const name = "segmentation_head.0.weight";
    const { state } = await steps(step, 3);
    expect(state[`teacher.${name}`]!.data).toEqual(step.state.get(name)!.start(1).data);
    expect(state[name]!.data).not.toEqual(state[`teacher.${name}`]!.data);
  });

  test("gives the target of L_c, and nothing else", async () => {
    const step = gammaStep(tinyPlan("adaptation", averaged));
    const other = { "teacher.segmentation_head.0.bias": float32Of([9, 0, 0, 0, 0]) };
    const [plain, biased] = [await steps(step, 1), await steps(step, 1, { state: other })];
    const [a, b] = [plain.measures[0]!, biased.measures[0]!];
    expect(one(b, "loss.consistency")).not.toBe(one(a, "loss.consistency"));
    for (const name of ["loss.supervised", "loss.uniformity", "loss.prototype"])
      expect(one(b, name)).toBe(one(a, name));
  });
});

test("all stages carry the same network; warm-up and adaptation the same teacher and prototypes, too", () => {
  for (const options of Object.values(profiles)) {
    const carried = (stage: StepPlan["stage"]): string[] =>
      [...gammaStep(tinyPlan(stage, options)).state].flatMap(([name, { memory }]) => (memory ? [] : [name])).sort();
    expect(carried("warm-up")).toEqual(carried("adaptation"));
    const own = carried("adaptation").filter((name) => !/^(teacher|history)\./.test(name));
    expect(carried("pretraining")).toEqual(own);
  }
});

test("a stage takes over weights and statistics, starts its teacher from them, and its optimiser afresh", async () => {
  const { state } = await steps(gammaStep(tinyPlan("pretraining")), 1);
  const step = gammaStep(tinyPlan("adaptation", small));
  const start = carryOver(state, step);
  const name = "encoder.layer1.0.conv1.weight";
  expect(start[name]).toBe(state[name]);
  expect(start[`teacher.${name}`]).toBe(state[name]);
  expect(start["encoder.bn1.running_var"]).toBe(state["encoder.bn1.running_var"]);
  expect(Object.keys(start).filter((key) => key.startsWith("first.") || key.startsWith("second."))).toEqual([]);
});
