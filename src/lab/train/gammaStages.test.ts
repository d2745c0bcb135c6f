import { expect, test } from "vitest";
import type { Dataset } from "../../data/datasets/dataset.js";
import { scalar } from "../../engine/tensor/hostTensor.js";
import { paper } from "../../methods/gamma-ssl/options.js";
import { type GammaConfig, resolveConfig } from "./config.js";
import { gammaStages } from "./gammaStages.js";

const curriculum = (options: object): GammaConfig =>
  resolveConfig({
    method: "gamma-ssl",
    source: "scenes:city",
    targets: ["scenes:foothills", "scenes:highland", "scenes:forest"],
    options,
  }) as GammaConfig;

/** Name, steps and first learning rate of each stage. */
const plan = (config: GammaConfig) => gammaStages(config).map(({ name, steps, rate }) => [name, steps, rate(1)]);

test("a curriculum warms up once, in its first place, and goes more gently from there", () => {
  const training = { steps: 1000, pretrainShare: 0.6, learningRate: 0.01, adaptationRate: 0.5, warmUp: { share: 0.8 } };
  expect(plan(curriculum({ training }))).toEqual([
    ["pretraining", 600, 0.01],
    ["warm-up", 320, 0.01],
    ["adaptation-1", 80, 0.005],
    ["adaptation-2", 80, 0.005],
    ["adaptation-3", 80, 0.005],
  ]);
});

test("C-3: at the paper's full rate every place of a curriculum is adapted to as the first was", () => {
  const training = { steps: 10, pretrainShare: 0, learningRate: 0.01, adaptationRate: 1, warmUp: { share: 0 } };
  expect(plan(curriculum({ training }))).toEqual([1, 2, 3].map((place) => [`adaptation-${place}`, 10, 0.01]));
});

test("no step with M_γ follows the warm-up in an unfamiliar place; further places have theirs", () => {
  const passed = (options: object, kept?: number): string[] =>
    gammaStages(curriculum(options)).flatMap(({ name, needless }) =>
      needless?.(kept === undefined ? {} : { "history.keptAnswers": scalar(kept) }) ? [name] : [],
    );
  expect(passed({ familiarity: 0.6 }, 0.59)).toEqual(["adaptation-1"]);
  expect(passed({ familiarity: 0.6 }, 0.61)).toEqual([]);
  expect(passed({ familiarity: 0.6 })).toEqual([]);
  expect(passed({ familiarity: 0.6, training: { adaptsTo: "every" } }, 0.59)).toEqual([]);
  expect(passed({ familiarity: null }, 0.1)).toEqual([]);
  expect(passed({ familiarity: 0.6, training: { warmUp: { share: 0 } } }, 0.59)).toEqual([]); // it would learn nothing at all
});

test("either view is plain in a familiar place, the first elsewhere, and none in the paper", () => {
  const empty: Dataset = { spec: "nothing", labelling: null, items: [] };
  const data = { source: empty, targets: [empty, empty, empty] };
  const plain = (config: GammaConfig, kept: number): unknown[] =>
    gammaStages(config)
      .flatMap((stage) => stage.streams(data, { "history.keptAnswers": scalar(kept) }))
      .flatMap((stream) => (stream.kind === "pair" ? [stream.plain] : []));
  const config = curriculum({ familiarity: 0.6 });
  expect([plain(config, 0.61), plain(config, 0.59)]).toEqual([Array(4).fill("either"), Array(4).fill("first")]);
  expect(plain(curriculum({ familiarity: paper.familiarity }), 0.9)).toEqual(Array(4).fill("none"));
});
