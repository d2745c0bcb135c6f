import { expect, test } from "vitest";
import type { Dataset } from "../data/datasets/dataset.js";
import type { Stream } from "../data/loader/batchPlan.js";
import { type GammaConfig, resolveConfig } from "../runs/config.js";
import { gammaStages } from "./gammaStages.js";

const curriculum = (options: object, more: object = {}): GammaConfig =>
  resolveConfig({
    method: "gamma-ssl",
    source: "scenes:city",
    targets: ["scenes:foothills", "scenes:highland", "scenes:forest"],
    options,
    ...more,
  }) as GammaConfig;

/** Name, steps and first learning rate of each stage. */
const plan = (config: GammaConfig) => gammaStages(config).map(({ name, steps, rate }) => [name, steps, rate(1, steps)]);

test("C-3: a curriculum warms up once, as part of the steps in its first target; every target has as many steps", () => {
  const training = { pretraining: 600, adaptation: 100, learningRate: 0.01, warmUp: 0.25 };
  expect(plan(curriculum({ training }))).toEqual([
    ["pretraining", 600, 0.01],
    ["warm-up", 25, 0.01],
    ["adaptation-1", 75, 0.01],
    ["adaptation-2", 100, 0.01],
    ["adaptation-3", 100, 0.01],
  ]);
});

test("C-3: without a warm-up every target is adapted to as the first was", () => {
  const training = { pretraining: 0, adaptation: 10, learningRate: 0.01, warmUp: 0 };
  expect(plan(curriculum({ training }))).toEqual([1, 2, 3].map((place) => [`adaptation-${place}`, 10, 0.01]));
});

test("stages of no steps are left out: NoSSL is pre-training alone", () => {
  const training = { pretraining: 7, adaptation: 100, warmUp: 0.001, learningRate: 0.01 };
  expect(plan(curriculum({ training })).map(([name, steps]) => [name, steps])).toEqual([
    ["pretraining", 7],
    ["adaptation-1", 100],
    ["adaptation-2", 100],
    ["adaptation-3", 100],
  ]);
  expect(plan(curriculum({ training }, { ablation: "no-ssl" }))).toEqual([["pretraining", 7, 0.01]]);
});

test("one target has no number, and each stage has a schedule of its own", () => {
  const training = { pretraining: 10, adaptation: 10, warmUp: 0.2, learningRate: 1, schedule: "poly" };
  const stages = gammaStages(curriculum({ training }, { targets: ["scenes:forest"] }));
  expect(stages.map(({ name }) => name)).toEqual(["pretraining", "warm-up", "adaptation"]);
  for (const { rate, steps } of stages) {
    expect(rate(1, steps)).toBe(1);
    expect(rate(steps, steps)).toBeCloseTo((1 / steps) ** 0.9, 6);
  }
});

const labelling = { classes: { name: "one", classes: [] }, rule: { kind: "ids", meaning: {} } } as const;
const dataset = (spec: string): Dataset => ({
  spec,
  labelling,
  items: [{ id: "a", image: "a.png", labels: "a.gt.png" }],
});
const data = { source: dataset("source"), targets: [dataset("one"), dataset("two"), dataset("three")] };

/** What the loader is to bring in each stage, by its name. */
const streams = (config: GammaConfig): Record<string, Stream[]> =>
  Object.fromEntries(gammaStages(config).map((stage) => [stage.name, stage.streams(data)]));

test("P-11: prototypes come from plain views, without colours, local crops or a change of scale", () => {
  const config = curriculum({}, { profile: "paper" });
  const { view } = config;
  const [source, prototype, target] = streams(config)["adaptation-1"]!;
  expect(prototype).toMatchObject({ kind: "labelled", name: "prototype", dataset: { spec: "source" } });
  expect(prototype!.view).toEqual({ ...view, scale: [1, 1], local: { ...view.local, chance: 0 }, colour: "off" });
  expect([source!.view, target!.view]).toEqual([view, view]);
});

test("each target's stage has pairs of that target; labels beside them are left out (T-11)", () => {
  const pairs = Object.entries(streams(curriculum({ training: { warmUp: 0.2 } }))).map(([name, all]) => [
    name,
    all.flatMap((stream) => (stream.kind === "pair" ? [stream.dataset] : [])),
  ]);
  const unlabelled = (spec: string): Dataset => ({
    ...dataset(spec),
    labelling: null,
    items: [{ id: "a", image: "a.png", labels: null }],
  });
  expect(pairs).toEqual([
    ["pretraining", []], // `small` has no L_u there
    ["warm-up", [unlabelled("one")]],
    ["adaptation-1", [unlabelled("one")]],
    ["adaptation-2", [unlabelled("two")]],
    ["adaptation-3", [unlabelled("three")]],
  ]);
});

test("Z-9: pre-training sees images of the first target where it has L_u, those of the source in NoSAX", () => {
  const specs = (config: GammaConfig) =>
    streams(config).pretraining!.map((stream) => [stream.name, stream.dataset.spec]);
  expect(specs(curriculum({}, { profile: "paper" }))).toEqual([
    ["source", "source"],
    ["target", "one"],
  ]);
  expect(specs(curriculum({}, { profile: "paper", ablation: "no-sax" }))).toEqual([
    ["source", "source"],
    ["target", "source"],
  ]);
  expect(specs(curriculum({}))).toEqual([["source", "source"]]);
});
