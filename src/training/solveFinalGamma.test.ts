import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeTinyRun } from "../../test/tinyRun.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { readScaled } from "../data/loader/readScaled.js";
import { openDataset } from "../data/open/openDataset.js";
import { exportRun } from "../deployment/export/exportRun.js";
import { DeployedModel } from "../deployment/model/deployedModel.js";
import { solveThreshold } from "../deployment/threshold/solveThreshold.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import { deployable } from "../inference/deployable.js";
import { viewSketches } from "../inference/viewSketches.js";
import { readFinalGamma } from "../runs/finalGamma.js";
import { gammaOfRun } from "../runs/gammaOfRun.js";
import { openRun, type TrainedRun } from "../runs/openRun.js";
import { writeSealedTensors } from "../runs/sealedTensors.js";
import { solveFinalGamma } from "./solveFinalGamma.js";
import { stepsOf } from "./stage.js";
import { stagesOf } from "./stages.js";
import type { TrainEvent } from "./trainJob.js";
import { trainLoop } from "./trainLoop.js";

const runtime = nodeRuntime();
const SOURCE = "scenes:city?split=train&count=4&height=64&width=96";
let root: string;
let source: Dataset;
let target: Dataset;
let run: TrainedRun;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "final-gamma-"));
  const tiny = { source: SOURCE, targets: ["scenes:town?split=train&count=3&height=64&width=96"], classes: 19 };
  await writeTinyRun(join(root, "run"), { ...tiny, solvesFinalGamma: true });
  await writeTinyRun(join(root, "mean"), { ...tiny, trace: [{ gamma: 0.5, certain: 0.4 }] });
  const open = (spec: string): Promise<Dataset> => openDataset(spec, { cache: root });
  [source, target] = [await open(SOURCE), await open(tiny.targets[0]!)];
  run = await openRun(join(root, "run"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("as many pixels are certain as two views agree on, and it is done once", async () => {
  await expect(gammaOfRun(run)).rejects.toThrow("has no gamma.json");
  const told = new Set<string>();
  await solveFinalGamma({ runtime, run, source, target, onProgress: (what) => told.add(what) });
  expect([...told]).toEqual(["prototypes", "comparing views", "predicting", "counting certain pixels"]);
  const { consistent, certain, gamma } = (await readFinalGamma(run.folder))!;
  expect(certain).toHaveLength(3);
  expect(certain.reduce((total, share) => total + share, 0) / 3).toBeCloseTo(consistent, 2);
  expect((await gammaOfRun(run))!.gamma).toBe(gamma);

  const before = await readFile(join(run.folder, "gamma.json"), "utf8");
  const asked: string[] = [];
  await solveFinalGamma({ runtime, run, source, target, onProgress: (what) => asked.push(what) });
  expect([await readFile(join(run.folder, "gamma.json"), "utf8"), asked]).toEqual([before, []]);
});

test("views are drawn as L_c's are, with the colours and local crops of training", async () => {
  const ready = await deployable(runtime, run, source);
  const { view } = ready.config;
  const sketch = async (change: Partial<typeof view>) => {
    const config = { ...ready.config, view: { ...view, ...change } };
    return (await viewSketches(runtime, { ...ready, config }, target, { views: 2, seed: 0 })).total;
  };
  const before = await sketch({});
  expect(await sketch({})).toEqual(before);
  const jitter = { brightness: 0.9, contrast: 0.9, saturation: 0.9, hue: 0.5 };
  expect(await sketch({ colour: { disturb: true, jitter } })).not.toEqual(before);
  expect(await sketch({ colour: "off" })).not.toEqual(before);
  expect(await sketch({ local: { ...view.local, side: [0.3, 0.4] } })).not.toEqual(before);
});

test("it is the last stage of a training, which can be stopped there and goes on there", async () => {
  const folder = join(root, "staged");
  await writeTinyRun(folder, { source: SOURCE, targets: [target.spec], classes: 19, solvesFinalGamma: true });
  const { config, weights } = await openRun(folder);
  const steps = stepsOf(stagesOf(config));
  await writeSealedTensors(join(folder, "weights.safetensors"), weights, { step: String(steps) });
  const pace = { threads: 2, workers: 0, checkpointEvery: 1, validateEvery: 1 };
  const job = { folder, config, run: "a run", data: { source, targets: [target] }, validation: null, pace };
  const events: TrainEvent[] = [];
  const emit = (event: TrainEvent): void => void events.push(event);

  await trainLoop(job, { emit, stopRequested: () => events.some(({ kind }) => kind === "busy") });
  expect(events.at(-1)).toEqual({ kind: "stopped", step: steps });
  expect(await readFinalGamma(folder)).toBeNull();

  events.length = 0;
  await trainLoop(job, { emit, stopRequested: () => false });
  expect(events.at(-1)).toMatchObject({ kind: "finished", step: steps });
  expect(events.filter(({ kind }) => kind === "step")).toEqual([]);
  expect(events).toContainEqual({ kind: "busy", what: "solving γ: comparing views 3/3" });
  expect((await readFinalGamma(folder))!.certain).toHaveLength(3);
});

test("gssl threshold goes by the same rule", async () => {
  await solveFinalGamma({ runtime, run, source, target });
  const final = (await readFinalGamma(run.folder))!;
  const ready = await deployable(runtime, run, source);
  const rule = { kind: "consistency", views: 2, seed: run.config.seed } as const;
  const request = { runtime, deployable: ready, source, images: target, rule, labelled: null, command: "" };
  const { gamma, training } = await solveThreshold(request);
  expect([gamma, training!.gamma]).toEqual([final.gamma, final.gamma]);
  // Counted pixel by pixel: as many are certain in whole images as are consistent between views.
  const { total } = await viewSketches(runtime, ready, target, { views: 2, seed: run.config.seed });
  const chosen = {
    gamma,
    from: "a test",
    certain: { mean: 0, deviation: 0, lowest: 0, images: 1, on: "" },
    place: null,
  };
  const { bytes } = await exportRun({ runtime, deployable: ready, source, target: null, gamma: chosen });
  const model = await DeployedModel.open(runtime, bytes, "m.onnx");
  const similarities: number[] = [];
  for (const item of target.items)
    similarities.push(...(await model.predict(await readScaled(target, item, run.config.view.height))).similarity);
  await model.close();
  const certain = similarities.filter((one) => one >= gamma).length / similarities.length;
  expect(certain).toBeCloseTo(total.rights / (total.rights + total.wrongs), 2);
});

test("a run whose γ is a mean of its steps is left alone", async () => {
  const other = await openRun(join(root, "mean"));
  await solveFinalGamma({ runtime, run: other, source, target });
  expect(await readFinalGamma(other.folder)).toBeNull();
});
