import { describe, expect, test } from "vitest";
import { gammaBatch, tinyPlan } from "../../../test/gammaBatch.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { ablations } from "./ablations.js";
import { type GradientTable, gradientTable, printGradientTable } from "./gradientTable.js";
import { type GammaOptions, paper, small } from "./options.js";
import { gammaStep, type StageName } from "./step.js";

const measured = (stage: StageName, options: GammaOptions): Promise<GradientTable> => {
  const plan = tinyPlan(stage, options);
  return gradientTable(nodeRuntime({ optimise: false }), plan, gammaBatch(gammaStep(plan), 0));
};
const printed = async (stage: StageName, options: GammaOptions = paper): Promise<string> =>
  printGradientTable(await measured(stage, options));

test("L-12: each loss teaches the networks the paper says it does, and no other", async () => {
  expect(await printed("adaptation")).toBe(
    [
      "loss         E    f_ψ  g_ρ",
      "supervised   ✓    ✓    –",
      "consistency  ✓    –    ✓",
      "uniformity   ✓    –    ✓",
      "prototype    ✓    –    ✓",
    ].join("\n"),
  );
});

test("T-1: in pre-training L_s teaches E and f_ψ, L_u teaches E and g_ρ", async () => {
  expect(await printed("pretraining")).toBe(
    ["loss        E    f_ψ  g_ρ", "supervised  ✓    ✓    –", "uniformity  ✓    –    ✓"].join("\n"),
  );
});

test("prototype supervision teaches E and g_ρ, in both stages", async () => {
  const row = "prototypeSupervision  ✓    –    ✓";
  expect(await printed("adaptation", small)).toBe(
    [
      "loss                  E    f_ψ  g_ρ",
      "supervised            ✓    ✓    –",
      "consistency           ✓    –    ✓",
      "uniformity            ✓    –    ✓",
      "prototype             ✓    –    ✓",
      row,
    ].join("\n"),
  );
  expect(await printed("pretraining", small)).toBe(
    ["loss                  E    f_ψ  g_ρ", "supervised            ✓    ✓    –", row].join("\n"),
  );
});

describe("L-12 in the ablations:", () => {
  test("with prototypes in both branches L_c still teaches E and g_ρ alone", async () => {
    const { consistency } = await measured("adaptation", ablations["sym-non-param"].vary(paper));
    expect([consistency!.encoder > 0, consistency!.head, consistency!.projection > 0]).toEqual([true, 0, true]);
  });

  test("with heads in both branches L_c teaches E and the head", async () => {
    const { consistency } = await measured("adaptation", ablations["sym-param"].vary(paper));
    expect([consistency!.encoder > 0, consistency!.head > 0, consistency!.projection]).toEqual([true, true, 0]);
  });

  test("without regularisation neither L_u nor L_p is there", async () => {
    expect(Object.keys(await measured("adaptation", ablations["no-regl"].vary(paper)))).toEqual([
      "supervised",
      "consistency",
    ]);
  });
});
