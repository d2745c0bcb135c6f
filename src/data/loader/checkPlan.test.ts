import { expect, test } from "vitest";
import type { Dataset } from "../datasets/dataset.js";
import type { BatchPlan, LabelledStream, PairStream } from "./batchPlan.js";
import { checkPlan } from "./checkPlan.js";

const dataset: Dataset = {
  spec: "folder:streets",
  items: [{ id: "a", image: "a.png", labels: "a.labels.png" }],
  labelling: { classes: { name: "one", classes: [] }, rule: { kind: "ids", meaning: {} } },
};
const view = {
  height: 64,
  crop: [32, 64],
  scale: [0.5, 1],
  flip: 0.5,
  local: { chance: 0.5, side: [0.5, 1] },
  colour: "off",
} as const;
const labelled: LabelledStream = { kind: "labelled", name: "source", dataset, size: 2, view };
const pair: PairStream = { kind: "pair", name: "target", dataset, size: 2, view, scoreStride: 4 };
const plan = (...streams: BatchPlan["streams"]): BatchPlan => ({ seed: 0, streams, noises: [] });

test("a sound plan is accepted", () => {
  expect(() => checkPlan(plan(labelled, pair))).not.toThrow();
});

test.each<[string, BatchPlan]>([
  ['two inputs are called "source"', plan(labelled, { ...pair, name: "source" })],
  ['two inputs are called "source"', { ...plan(labelled), noises: [{ name: "source", shape: [1] }] }],
  ["folder:streets is empty", plan({ ...pair, dataset: { ...dataset, items: [] } })],
  ['"source" has 0 images in a batch', plan({ ...labelled, size: 0 })],
  [
    'learns from labels, but "a" of folder:streets has none',
    plan({ ...labelled, dataset: { ...dataset, labelling: null } }),
  ],
  ["not a multiple of the scores' stride 5", plan({ ...pair, scoreStride: 5 })],
  ["crops 32.5 x 64", plan({ ...labelled, view: { ...view, crop: [32.5, 64] } })],
  ["scales by 1 to 0.5", plan({ ...labelled, view: { ...view, scale: [1, 0.5] } })],
  ["sides of 0.5 to 1.5", plan({ ...pair, view: { ...view, local: { chance: 0.5, side: [0.5, 1.5] } } })],
  ["flip chance of 2", plan({ ...pair, view: { ...view, flip: 2 } })],
])("a plan is refused: %s", (message, refused) => {
  expect(() => checkPlan(refused)).toThrow(message);
});
