import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeBaseline, fakeRun } from "../../test/fakeRun.js";
import { idMap, testImage, withFolder, writeFiles } from "../../test/folders.js";
import { openDataset } from "../data/open/openDataset.js";
import { usualBaselines } from "../methods/parts/baselineOptions.js";
import { methodNamed } from "../methods/registry.js";
import { resolveConfig, type SupervisedConfig } from "../runs/config.js";
import { openRun } from "../runs/openRun.js";
import { prepareRun } from "../training/prepareRun.js";
import { baselineConfig, baselineRuns, untrained } from "./baselineRuns.js";

const named = (...names: string[]) => names.map((name) => methodNamed(name));

const gamma = resolveConfig({
  method: "gamma-ssl",
  source: "scenes:city",
  targets: ["scenes:town"],
  seed: 7,
  weights: "resnet18.pth",
  view: { crop: [64, 128] },
  options: {
    network: { width: 0.25 },
    batch: { source: 4 },
    training: { pretraining: 40, adaptation: 60, learningRate: 0.002 },
  },
});

test("B-0: a baseline is trained like the first stage: same data, crops, batch, rate, schedule and steps", () => {
  expect(baselineConfig(gamma)).toMatchObject({
    method: "supervised",
    source: "scenes:city",
    weights: "resnet18.pth",
    view: gamma.view,
    seed: 7,
    batch: 4,
    steps: 40,
    learningRate: 0.002,
    schedule: { warmUp: 0, power: 0.9 },
    network: {
      ...{ width: 0.25, stages: 3, features: 128, outputStride: 16, asppDropout: 0 },
      ...{ encoderDropout: 0, spectralNorm: "off" },
    },
  });
});

test("B-1, B-3, B-4, B-10: each baseline differs from that by what it is, and by nothing else", () => {
  const base = baselineConfig(gamma);
  const runs = baselineRuns(
    gamma,
    named("ensemble-pe-5", "mc-dropout-mi", "mcd-dsl", "mcd-dsl-head", "dum"),
    usualBaselines,
  );
  const config = (name: string): SupervisedConfig => runs.find((one) => one.name === name)!.config;
  expect(runs.map(({ name }) => name)).toEqual([
    ...["member-1", "member-2", "member-3", "member-4", "member-5"],
    ...["mc-dropout-0.2", "distilled", "distilled-head", "spectral"],
  ]);
  for (const i of [1, 2, 3, 4, 5]) {
    const { seed, ...rest } = config(`member-${i}`);
    expect({ ...rest, seed: 7 }).toEqual(base);
    expect(seed).not.toBe(7);
  }
  expect(config("mc-dropout-0.2")).toEqual({ ...base, network: { ...base.network, encoderDropout: 0.2 } });
  expect(config("spectral")).toEqual({ ...base, network: { ...base.network, spectralNorm: 3 } });
  const teacher = { weights: "../mc-dropout-0.2/weights.safetensors", rate: 0.2, passes: 8, learns: "soft-targets" };
  expect(config("distilled")).toEqual({ ...base, teacher });
  expect(config("distilled-head")).toEqual({ ...base, teacher: { ...teacher, learns: "uncertainty" } });
  // What is written down resolves to the same again.
  for (const one of runs) expect(resolveConfig(JSON.parse(JSON.stringify(one.config)))).toEqual(one.config);
});

test("B-1: no two members of any ensemble begin from the same seed, whichever seeds their runs have", () => {
  const seeds = Array.from({ length: 20 }, (_, seed) =>
    baselineRuns({ ...gamma, seed }, named("ensemble-pe-10"), usualBaselines).map(({ config }) => config.seed),
  ).flat();
  expect(new Set(seeds).size).toBe(200);
});

test("a run that adapts the weights of another has no budget for baselines, and says whose baselines to take", () => {
  const adapting = resolveConfig({ ...gamma, options: { training: { pretraining: 0 } } });
  expect(() => baselineRuns(adapting, named("dum"), usualBaselines)).toThrow("no first stage of its own");
  expect(baselineRuns(adapting, named("vim"), usualBaselines)).toEqual([]);
});

test("a baseline that was trained on a source whose files have changed since is refused", () =>
  withFolder(async (root) => {
    const spec = `folder:${root}/data?images=img&labels=gt&classes=cityscapes-train-ids`;
    await writeFiles(join(root, "data"), {
      "img/a.png": await testImage(64, 64).png().toBuffer(),
      "gt/a.png": idMap(64, 64, [0, 1]),
    });
    const config = await fakeRun(join(root, "run"), spec);
    const run = await openRun(join(root, "run"));
    const runs = baselineRuns(config, named("dum"), usualBaselines);
    const open = async () => (await untrained(run, runs, await openDataset(spec))).map(({ name }) => name);
    expect(await open()).toEqual(["spectral"]);
    // As a training leaves it.
    const [{ name, config: own }] = runs as [(typeof runs)[number]];
    await fakeBaseline(run.folder, name, own, 3);
    const pace = { threads: 1, workers: 0, checkpointEvery: 1, validateEvery: 1 };
    const data = { source: await openDataset(spec), targets: [] };
    const folder = join(run.folder, "baselines", name);
    await prepareRun({ folder, config: own, data, validation: null, pace, overwrite: false, command: "gssl evaluate" });
    expect(await open()).toEqual([]);
    // Another class in a file of the same name and length.
    const path = join(root, "data", "gt", "a.png");
    const { size } = await stat(path);
    await writeFiles(join(root, "data"), { "gt/a.png": idMap(64, 64, [0, 2]) });
    expect((await stat(path)).size).toBe(size);
    await expect(open()).rejects.toThrow('spectral holds another network: the files of "source" have changed since');
  }));

test("methods that share networks ask for them once; those without a network of their own for none", () => {
  const names = (...methods: string[]) =>
    baselineRuns(gamma, named(...methods), usualBaselines).map(({ name }) => name);
  expect(names("mcd-dsl")).toEqual(["mc-dropout-0.2", "distilled"]);
  expect(names("ensemble-mi-10", "ensemble-pe-5")).toHaveLength(10);
  expect(names("vim", "odin", "gamma-ssl")).toEqual([]);
  const swept = baselineRuns(gamma, named("mc-dropout-pe"), { ...usualBaselines, rates: [0.1, 0.5] });
  expect(swept.map(({ name }) => name)).toEqual(["mc-dropout-0.1", "mc-dropout-0.5"]);
});
