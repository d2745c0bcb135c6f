import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tensors } from "../src/engine/tensor/hostTensor.js";
import { UNCERTAINTY_HEAD, UncertaintyHead } from "../src/methods/baselines/distillation.js";
import { GammaNetwork } from "../src/methods/gamma-ssl/network.js";
import { type Param, Scope } from "../src/networks/layers/scope.js";
import { DeepLab } from "../src/networks/models/deeplab.js";
import { startOf } from "../src/networks/optim/trainStep.js";
import { type GammaConfig, resolveConfig, type SupervisedConfig } from "../src/runs/config.js";
import { startFile } from "../src/runs/runFiles.js";
import { writeSealedTensors } from "../src/runs/sealedTensors.js";

const CLASSES = 19;

/** A γ-SSL run folder as a training would leave it, with weights drawn from a seed instead of learned. */
export async function fakeRun(
  folder: string,
  source: string,
  seed = 0,
  changes: { weights?: string; training?: object } = {},
): Promise<GammaConfig> {
  const config = resolveConfig({
    method: "gamma-ssl",
    source,
    targets: ["scenes:town?split=train&count=2&height=32&width=64"],
    seed,
    weights: changes.weights ?? null,
    view: { height: 32, crop: [32, 48] },
    options: {
      network: { width: 0.125, stages: 4, features: 16 },
      batch: { source: 2, prototype: 2, target: 2 },
      finalGamma: "mean", // of no steps: without γ
      training: { pretraining: 3, adaptation: 4, warmUp: 0.25, ...changes.training },
    },
  }) as GammaConfig;
  const { params } = new GammaNetwork(new Scope(), { ...config.options.network, classes: CLASSES });
  await mkdir(join(folder, "stages"), { recursive: true });
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  await writeSealedTensors(join(folder, "weights.safetensors"), drawn(params, seed + 1));
  await writeSealedTensors(join(folder, "stages", "1-pretraining.safetensors"), drawn(params, seed + 2));
  if (config.weights !== null) await copyFile(config.weights, join(folder, startFile));
  return config;
}

/** The network of a baseline, likewise. */
export async function fakeBaseline(
  folder: string,
  name: string,
  config: SupervisedConfig,
  seed: number,
): Promise<void> {
  const scope = new Scope();
  new DeepLab(scope, { classes: CLASSES, ...config.network, spectralImage: config.view.crop });
  if (config.teacher?.learns === "uncertainty")
    new UncertaintyHead(scope.child(UNCERTAINTY_HEAD), config.network.features);
  const home = join(folder, "baselines", name);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "config.json"), JSON.stringify(config));
  await writeSealedTensors(join(home, "weights.safetensors"), drawn(scope.params, seed));
}

const drawn = (params: readonly Param[], seed: number): Tensors =>
  Object.fromEntries(params.map((param) => [param.path, startOf(param)(seed)]));
