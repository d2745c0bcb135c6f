import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dataset } from "../../data/datasets/dataset.js";
import { openDataset } from "../../data/datasets/openDataset.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { type GammaConfig, resolveConfig } from "./config.js";
import { gammaStages } from "./gammaStages.js";
import { keptAnswers } from "./keptAnswers.js";
import { classesOf } from "./stage.js";

const runtime = nodeRuntime({ optimise: false });
const [height, width] = [32, 64];
const strong = { disturb: true, jitter: { hue: 0.3 } };
const drawn = (place: string): string => `scenes:${place}?split=train&count=4&height=${height}&width=${width}`;
let cache: string;
let data: { source: Dataset; targets: Dataset[] };

beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), "kept-"));
  const open = (place: string): Promise<Dataset> => openDataset(`${drawn(place)}&classes=categories`, { cache });
  data = { source: await open("city"), targets: [await open("town"), await open("forest")] };
});
afterAll(() => rm(cache, { recursive: true }));

const configured = (targetColour: unknown): GammaConfig =>
  resolveConfig({
    method: "gamma-ssl",
    profile: "small",
    source: drawn("city"),
    targets: [drawn("town"), drawn("forest")],
    view: { height, crop: [height, width] },
    targetColour,
    options: {
      network: { width: 0.125, features: 16 },
      training: { steps: 10, pretrainShare: 0, warmUp: { share: 0.5 } },
    },
  }) as GammaConfig;
const arrival = () => ({ classes: classesOf(data.source), weights: {}, frames: data.targets[0]!, seed: 3 });

test("answers are kept where there are no colours, and not all of them where there are, the same every time", async () => {
  expect(await keptAnswers(runtime, configured("off"), arrival())).toBe(1);
  const kept = await keptAnswers(runtime, configured(strong), arrival());
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(1);
  expect(await keptAnswers(runtime, configured(strong), arrival())).toBe(kept);
});

test("it is measured on arrival in each place, and carried through the stages there", async () => {
  const config = configured(strong);
  const kept: number[] = [];
  let state: Tensors = {};
  for (const stage of gammaStages(config)) {
    const training = stage.build(classesOf(data.source));
    state = await stage.takeOver(state, training, { runtime, data, seed: 3 });
    kept.push(floats(state["history.keptAnswers"], "kept")[0]!);
  }
  const [town, forest] = await Promise.all(
    data.targets.map((frames) => keptAnswers(runtime, config, { ...arrival(), frames })),
  );
  expect(town).not.toBe(forest);
  expect(kept).toEqual([town, town, forest].map((share) => Math.fround(share!)));
});
