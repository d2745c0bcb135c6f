import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { float32 } from "../engine/tensor/hostTensor.js";
import { writeSealedTensors } from "../runs/sealedTensors.js";
import { ablationPlan, ablationRows, ablationTable, withoutEffect } from "./ablationPlan.js";

const settings = { source: "scenes:city", targets: ["scenes:town"], seed: 4 };
let to: string;
beforeAll(async () => {
  to = await mkdtemp(join(tmpdir(), "ablate-"));
});
afterAll(() => rm(to, { recursive: true, force: true }));

test("pre-training is shared; each variant adapts from it once for each seed", () => {
  const { source, trials } = ablationPlan({ settings, ablations: ["no-filter", "no-ssl"], seeds: 2, to });
  expect(source).toMatchObject({ ablation: "no-ssl", seed: 4 });
  expect(trials.map(({ folder }) => folder)).toEqual([
    "gamma-ssl-seed4",
    "no-filter-seed4",
    "gamma-ssl-seed5",
    "no-filter-seed5",
  ]);
  for (const { config } of trials) {
    expect(config.weights).toBe(join(to, "source", "weights.safetensors"));
    expect(config.options.training.pretraining).toBe(0);
  }
  expect(trials.map(({ config }) => config.options.certainty.kind)).toEqual(["gamma", "none", "gamma", "none"]);
});

test("without a first stage everything begins with the weights that were named", () => {
  const training = { pretraining: 0 };
  const plan = ablationPlan({
    settings: { ...settings, weights: "city.safetensors", options: { training } },
    ablations: [],
    seeds: 1,
    to,
  });
  expect(plan.source).toBeNull();
  expect(plan.trials.map(({ config }) => config.weights)).toEqual(["city.safetensors"]);
});

test("an ablation that ended with the weights of γ-SSL is marked", async () => {
  const { trials } = ablationPlan({ settings, ablations: ["no-filter", "no-regl"], seeds: 1, to });
  for (const { folder, ablation } of trials) {
    await mkdir(join(to, folder), { recursive: true });
    const weights = { w: float32([1], [ablation === "no-regl" ? 2 : 1]) };
    await writeSealedTensors(join(to, folder, "weights.safetensors"), weights, { step: "1", config: folder });
  }
  expect(await withoutEffect(to, trials)).toEqual(["no-filter"]);
});

test("mean and standard deviation over seeds; a lone seed has none, and a number that one seed lacks is left out", () => {
  const rest = { aupr: null, maxAmd: null, maxF05: null, atGamma: null };
  const result = (auroc: number, accuracy: number | null) => ({ ...rest, auroc, accuracy });
  const rows = ablationRows([
    { name: "gamma-ssl", result: result(0.8, 0.7) },
    { name: "gamma-ssl", result: result(0.9, null) },
    { name: "max-softmax", result: result(0.75, 0.6) },
  ]);
  expect(rows.map(({ name, seeds }) => [name, seeds])).toEqual([
    ["gamma-ssl", 2],
    ["max-softmax", 1],
  ]);
  expect(rows[0]!.measures.AUROC!.mean).toBeCloseTo(0.85, 12);
  expect(rows[0]!.measures.AUROC!.deviation).toBeCloseTo(Math.sqrt(0.005), 12); // of 0.8 and 0.9, with n - 1
  expect(rows[0]!.measures.accuracy).toBeNull();
  expect(rows[1]!.measures.accuracy).toEqual({ mean: 0.6, deviation: null });
  const [, , first, second] = ablationTable(rows, ["gamma-ssl"]);
  expect(first).toContain("gamma-ssl (no effect on the weights) | 2 | – | 0.850 ± 0.071");
  expect(second).toContain("max-softmax | 1 | 0.600 | 0.750");
});
