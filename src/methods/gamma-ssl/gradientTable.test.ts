import { describe, expect, test } from "vitest";
import { gammaBatch, tinyPlan } from "../../../test/gammaBatch.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { scalar, type Tensors } from "../../engine/tensor/hostTensor.js";
import { ablations } from "./ablations.js";
import { type GradientTable, gradientTable, printGradientTable } from "./gradientTable.js";
import { type GammaOptions, paper, small } from "./options.js";
import { gammaStep, type StageName } from "./step.js";

const measured = (stage: StageName, options: GammaOptions, state: Tensors = {}): Promise<GradientTable> => {
  const plan = tinyPlan(stage, options);
  return gradientTable(nodeRuntime({ optimise: false }), plan, gammaBatch(gammaStep(plan), 0), { state });
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

test("in a warm-up with a resting encoder only L_s reaches E", async () => {
  const warmUp = { ...small.training.warmUp, encoder: "resting" } as const;
  const all = ablations["full-regularisation"].vary(small);
  const table = await measured("warm-up", { ...all, training: { ...all.training, warmUp } });
  expect(Object.keys(table).sort()).toEqual([
    "consistency",
    "headConsistency",
    "prototype",
    "prototypeSupervision",
    "supervised",
    "uniformity",
  ]);
  const ofTheHead = ["supervised", "headConsistency"];
  for (const [name, { encoder, head, projection }] of Object.entries(table)) {
    expect([name, encoder > 0]).toEqual([name, name === "supervised"]);
    expect([name, head > 0, projection > 0]).toEqual([name, ofTheHead.includes(name), !ofTheHead.includes(name)]);
  }
});

test("prototype supervision teaches E and g_ρ", async () => {
  const { prototypeSupervision } = await measured("adaptation", small);
  expect(prototypeSupervision!.encoder).toBeGreaterThan(0);
  expect(prototypeSupervision!.head).toBe(0);
  expect(prototypeSupervision!.projection).toBeGreaterThan(0);
});

test("L_c for the head teaches E and f_ψ in a familiar place, and nothing elsewhere", async () => {
  const reached = async (kept: number): Promise<boolean[]> => {
    const { headConsistency } = await measured("adaptation", small, { "history.keptAnswers": scalar(kept) });
    return [headConsistency!.encoder > 0, headConsistency!.head > 0, headConsistency!.projection > 0];
  };
  expect(await reached(0.66)).toEqual([true, true, false]);
  expect(await reached(0.64)).toEqual([false, false, false]);
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
