import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { gammaBatch, tinyPlan } from "../../../test/gammaBatch.js";
import { allFinite, one, runtime, steps } from "../../../test/gammaSteps.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { Stepper } from "../../networks/optim/stepper.js";
import { type AblationName, ablations } from "./ablations.js";
import { type GammaOptions, paper, small } from "./options.js";
import { carryOver, dialFeeds, gammaStep, type StepPlan } from "./step.js";

test("T-1, Z-9: pre-training reports L_s, and L_u over features of the target", async () => {
  const step = gammaStep(tinyPlan("pretraining"));
  expect([...step.batch.keys()].sort()).toEqual(["source.images", "source.labels", "target.second"]);
  const { measures } = await steps(step, 2);
  expect(Object.keys(measures[0]!).sort()).toEqual(["gradientNorm", "loss", "loss.supervised", "loss.uniformity"]);
  expect(measures.every(allFinite)).toBe(true);
  // Other target images change L_u and nothing else.
  const batch = gammaBatch(step, 0);
  const stepper = await Stepper.open(runtime, step, { seed: 1 });
  const other = await stepper.run({ ...batch, "target.second": gammaBatch(step, 1)["target.second"]! }, 1e-3);
  await stepper.close();
  expect(one(other, "loss.supervised")).toBe(one(measures[0]!, "loss.supervised"));
  expect(one(other, "loss.uniformity")).not.toBe(one(measures[0]!, "loss.uniformity"));
});

test("without L_u pre-training feeds on labelled images alone", () => {
  const options = { ...paper, uniformity: { ...paper.uniformity, pretraining: false } };
  for (const wanted of [options, ablations["no-regl"].vary(paper), small]) {
    const step = gammaStep(tinyPlan("pretraining", wanted));
    expect([...step.batch.keys()].sort()).toEqual(["source.images", "source.labels"]);
    expect(step.dials).not.toHaveProperty("weight.uniformity");
  }
});

test("T-1: adaptation is fed by the names of the loader's streams", () => {
  expect([...gammaStep(tinyPlan("adaptation")).batch.keys()].sort()).toEqual([
    "prototype.images",
    "prototype.labels",
    "source.images",
    "source.labels",
    "target.first",
    "target.first.columns",
    "target.first.rows",
    "target.second",
    "target.second.columns",
    "target.second.rows",
    "target.valid",
  ]);
});

test("T-8: a step reports every loss, γ, both shares, both by class, prototypes, peaks and the agreement of the masks", async () => {
  const { measures } = await steps(gammaStep(tinyPlan("adaptation")), 1);
  expect(Object.keys(measures[0]!).sort()).toEqual([
    "agreement.accuracy",
    "agreement.f1",
    "certain",
    "class.certain",
    "class.consistent",
    "class.predicted",
    "consistent",
    "counted",
    "gamma",
    "gradientNorm",
    "loss",
    "loss.consistency",
    "loss.prototype",
    "loss.supervised",
    "loss.uniformity",
    "peak.query",
    "peak.target",
    "prototypes.nearest",
  ]);
  const { loss, ...rest } = Object.fromEntries(Object.entries(measures[0]!).map(([k, v]) => [k, floats(v, k)[0]!]));
  const total = ["supervised", "consistency", "uniformity", "prototype"].map((name) => rest[`loss.${name}`]!);
  expect(loss).toBeCloseTo(
    total.reduce((a, b) => a + b),
    4,
  );
  // As many certain as consistent: distinct similarities leave no ties.
  expect(rest.certain).toBeCloseTo(rest.consistent!, 3);
});

test("the share of pixels that count in L_c: those M_γ leaves, all of them without a filter, all by some weight under a soft mask", async () => {
  const shares = async (name: AblationName | null) => {
    const options = name === null ? paper : ablations[name].vary(paper);
    const { measures } = await steps(gammaStep(tinyPlan("adaptation", options)), 1);
    return { counted: one(measures[0]!, "counted"), certain: one(measures[0]!, "certain") };
  };
  const gamma = await shares(null);
  expect(gamma.counted).toBeCloseTo(gamma.certain, 6);
  expect(gamma.counted).toBeLessThan(1);
  expect((await shares("no-filter")).counted).toBe(1);
  const soft = (await shares("soft-mask")).counted;
  expect([soft > 0, soft < 1]).toEqual([true, true]);
});

test("L-11: losses are weighted by dials, which turn without building the step again", async () => {
  const step = gammaStep(tinyPlan("adaptation"));
  expect(step.dials).toEqual({
    "weight.supervised": 1,
    "weight.consistency": 1,
    "weight.uniformity": 1,
    "weight.prototype": 1,
  });
  const stepper = await Stepper.open(runtime, step, { seed: 1 });
  const turned = dialFeeds(step, { "weight.consistency": 0, "weight.uniformity": 0, "weight.prototype": 3 });
  const measures = await stepper.run({ ...gammaBatch(step, 0), ...turned }, 1e-3);
  await stepper.close();
  expect(one(measures, "loss")).toBeCloseTo(one(measures, "loss.supervised") + 3 * one(measures, "loss.prototype"), 4);
});

test("P-8: prototypes are carried, each class as it was last seen", async () => {
  const step = gammaStep(tinyPlan("adaptation"));
  const columns = (state: Tensors): number[] => {
    const [f, k] = state["history.prototypes"]!.shape as [number, number];
    const values = floats(state["history.prototypes"], "history");
    return Array.from({ length: k }, (_, id) =>
      Math.hypot(...Array.from({ length: f }, (_unused, i) => values[i * k + id]!)),
    );
  };
  const { state } = await steps(step, 3);
  expect(
    columns(state)
      .slice(0, 4)
      .every((length) => Math.abs(length - 1) < 1e-4),
  ).toBe(true);
  const batch = gammaBatch(step, 0);
  const labels = batch["prototype.labels"]!;
  const noPole = { ...labels, data: (labels.data as BigInt64Array).map((id) => (id === 2n ? 0n : id)) };
  const stepper = await Stepper.open(runtime, step, { state });
  await stepper.run({ ...batch, "prototype.labels": noPole }, 1e-3);
  await stepper.close();
  const column = (s: Tensors): number[] => [...floats(s["history.prototypes"], "p")].filter((_, i) => i % 5 === 2);
  expect(column(await stepper.state())).toEqual(column(state));
});

test("T-5: statistics move in pre-training; where they are frozen, those of E and of g_ρ stay from then on", async () => {
  const names = ["encoder.bn1.running_mean", "decoder.block2.1.running_var", "projection.1.running_mean"];
  const pretraining = gammaStep(tinyPlan("pretraining", small));
  const start = await steps(pretraining, 2);
  for (const name of names) expect(start.state[name]!.data).not.toEqual(pretraining.state.get(name)!.start(1).data);
  for (const stage of ["warm-up", "adaptation"] as const) {
    const step = gammaStep(tinyPlan(stage, small));
    const { state } = await steps(step, 2, { state: carryOver(start.state, step) });
    for (const name of names) expect(state[name]!.data).toEqual(start.state[name]!.data);
  }
});

test("T-5: with statistics of each batch those of E and g_ρ move in the second stage, too", async () => {
  const step = gammaStep(tinyPlan("adaptation", ablations["batch-statistics"].vary(small)));
  const { state } = await steps(step, 1);
  for (const name of ["encoder.bn1.running_mean", "projection.1.running_mean"])
    expect(state[name]!.data).not.toEqual(step.state.get(name)!.start(1).data);
});

test("T-5: with frozen statistics all batches go through the encoder at once", () => {
  const frozen: GammaOptions = { ...paper, batchNorm: "frozen" };
  const passes = (options: GammaOptions): number => gammaStep(tinyPlan("adaptation", options)).noises.size;
  // One draw of dropout for each pass that learns: source, prototypes and query, or all together.
  expect(passes(paper)).toBe(3);
  expect(passes(frozen)).toBe(1);
});

test("AB-7: MCD-SSL sees one view twice, each time with channels of the encoder dropped after its second and later stages", () => {
  const shapes = (options: GammaOptions) =>
    [...gammaStep(tinyPlan("adaptation", options)).noises.values()].map(({ shape }) => shape);
  const dropping = (n: number, ...channels: number[]) => channels.map((count) => [n, count, 1, 1]);
  // Source and query together, then the target. Three stages have two that drop; there is no other dropout.
  expect(shapes(small)).toEqual([]);
  const varied = ablations["mcd-ssl"].vary(small);
  expect(shapes(varied)).toEqual([...dropping(8, 16, 32), ...dropping(4, 16, 32)]);
  expect(shapes({ ...varied, network: { ...varied.network, stages: 4 } })).toEqual([
    ...dropping(8, 16, 32, 64),
    ...dropping(4, 16, 32, 64),
  ]);
  const fed = [...gammaStep(tinyPlan("adaptation", varied)).batch.keys()];
  expect(fed).toContain("target.second");
  expect(fed.filter((name) => name.startsWith("target.first"))).toEqual([]);
});

test("three stages: no step has a parameter of layer4, four stages have", () => {
  const deep = (options: GammaOptions, stage: StepPlan["stage"]): string[] =>
    [...gammaStep(tinyPlan(stage, options)).state.keys()].filter((name) => name.includes("layer4"));
  for (const stage of ["pretraining", "adaptation"] as const) {
    expect(deep(small, stage)).toEqual([]);
    expect(deep({ ...small, network: { ...small.network, stages: 4 } }, stage).length).toBeGreaterThan(0);
  }
});

test("the same steps with one and with two threads end with the same bits", async () => {
  const digests = new Set<string>();
  const step = gammaStep(tinyPlan("adaptation"));
  for (const one of [1, 2].map((threads) => nodeRuntime({ threads }))) {
    const stepper = await Stepper.open(one, step, { seed: 1 });
    for (let i = 0; i < 2; i++) await stepper.run(gammaBatch(step, i), 1e-3);
    await stepper.close();
    const hash = createHash("sha256");
    const state = await stepper.state();
    for (const name of Object.keys(state).sort()) hash.update(Buffer.from(state[name]!.data.buffer));
    digests.add(hash.digest("hex"));
  }
  expect(digests.size).toBe(1);
});

test("the same seed and batches give the same bits, and other seeds others", async () => {
  const step = gammaStep(tinyPlan("adaptation", small));
  const last = async (seed: number): Promise<Tensors> => {
    const stepper = await Stepper.open(runtime, step, { seed });
    for (let i = 0; i < 2; i++) await stepper.run(gammaBatch(step, i), 1e-3);
    await stepper.close();
    return stepper.state();
  };
  const [one, same, other] = [await last(1), await last(1), await last(2)];
  for (const name of step.state.keys()) expect(same[name]!.data).toEqual(one[name]!.data);
  expect(other["encoder.conv1.weight"]!.data).not.toEqual(one["encoder.conv1.weight"]!.data);
});

test("on a fixed batch all losses together go down", async () => {
  const step = gammaStep(tinyPlan("adaptation"));
  const stepper = await Stepper.open(runtime, step, { seed: 1 });
  const losses: number[] = [];
  for (let i = 0; i < 25; i++) losses.push(one(await stepper.run(gammaBatch(step, 0), 5e-3), "loss"));
  await stepper.close();
  expect(losses.at(-1)!).toBeLessThan(losses[0]! - 1);
});
