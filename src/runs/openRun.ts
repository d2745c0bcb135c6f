import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Value } from "../engine/graph/value.js";
import { floats, type Tensors } from "../engine/tensor/hostTensor.js";
import { UNCERTAINTY_HEAD, UncertaintyHead } from "../methods/baselines/distillation.js";
import type { DroppingNetwork } from "../methods/baselines/mcDropout.js";
import { GammaNetwork } from "../methods/gamma-ssl/network.js";
import { type NetworkOutputs, networkOutputs } from "../methods/parts/networkOutputs.js";
import { fastInferencePass, type Pass } from "../networks/layers/pass.js";
import { Scope } from "../networks/layers/scope.js";
import { DeepLab } from "../networks/models/deeplab.js";
import { UserError } from "../platform/errors.js";
import { FileError, readRegularFile } from "../platform/files.js";
import { printable } from "../platform/printable.js";
import { sha256 } from "../platform/seal.js";
import { readConfig, type TrainConfig } from "./config.js";
import { totalSteps } from "./extended.js";
import { runFiles } from "./runFiles.js";
import { readSealedTensors } from "./sealedTensors.js";

/** A run that has been trained, ready to be looked at. */
export interface TrainedRun {
  readonly folder: string;
  readonly config: TrainConfig;
  /** The stage whose weights they are; null of those that it ended with. */
  readonly stage: string | null;
  readonly weights: Tensors;
  readonly classes: number;
}

/** Weights that a run ends with; those of its stages go by the names of their files. */
const LAST = "last";

/** Read what `gssl train` left in a folder. `which` weights: `last`, or those a stage ended with, e.g. `1-pretraining`. */
export async function openRun(folder: string, which = LAST): Promise<TrainedRun> {
  const config = await readConfig(join(folder, runFiles.config)).catch((error: unknown) => {
    if (error instanceof FileError && error.code === "ENOTDIR") {
      throw new UserError(`${folder} is a file, wanted a run folder`, {
        hint: `is it ${dirname(folder)}?`,
        cause: error,
      });
    }
    throw error instanceof FileError && error.code === "ENOENT" ? noRun(folder, runFiles.config, error) : error;
  });
  const file = which === LAST ? runFiles.weights : await stageFile(folder, which);
  const { tensors, metadata } = await readSealedTensors(join(folder, file), DAMAGED).catch((error: unknown) => {
    throw error instanceof FileError && error.code === "ENOENT" ? noRun(folder, file, error) : error;
  });
  const steps = totalSteps(config);
  if (metadata.step !== undefined && Number(metadata.step) !== steps) {
    throw new UserError(`${folder} is being given more steps: its weights have ${metadata.step} of ${steps}`, {
      hint: "the command that trains it goes on from there",
    });
  }
  if (metadata.config !== undefined && metadata.config !== (await configSeal(folder))) {
    throw new UserError(`${join(folder, runFiles.config)} is not the one that the weights were trained with`, {
      hint: "restore it from a copy; gssl train --config trains with other settings, into another folder",
    });
  }
  const stage = which === LAST ? null : which;
  return {
    folder,
    config,
    stage,
    weights: tensors,
    classes: floats(tensors["segmentation_head.0.bias"], "head").length,
  };
}

/** sha256 of a run's config.json: the weights keep it, so that a change of it is noticed. */
export const configSeal = async (folder: string): Promise<string> =>
  sha256(await readRegularFile(join(folder, runFiles.config)));

const DAMAGED = "the command that trained it writes it again where a checkpoint is left; else restore it from a copy";

const noRun = (folder: string, name: string, cause: unknown): UserError =>
  new UserError(`${folder} has no ${name}`, { hint: "is it a run folder, and has gssl train finished?", cause });

async function stageFile(folder: string, which: string): Promise<string> {
  const names = (await readdir(join(folder, runFiles.stages)).catch(() => []))
    .filter((name) => name.endsWith(".safetensors"))
    .map((name) => name.slice(0, -".safetensors".length));
  if (!names.includes(which)) {
    throw new UserError(`${folder} has no weights called "${printable(which)}"`, {
      hint: `it has: ${[LAST, ...names.sort()].map(printable).join(", ")}`,
    });
  }
  return join(runFiles.stages, `${which}.safetensors`);
}

/** The network of a run, at rest. */
export interface RunNetwork {
  /** Its parts, for passes that are not at rest. */
  readonly network: DroppingNetwork;
  /** At rest, with the fastest convolutions unless another pass is asked for. */
  forward(images: Value, pass?: Pass): NetworkOutputs;
  /** With a projection, where the run has one. */
  readonly gammaNetwork: GammaNetwork | null;
}

export function networkOf({ config, classes }: Pick<TrainedRun, "config" | "classes">): RunNetwork {
  const scope = new Scope();
  if (config.method === "gamma-ssl") {
    const gammaNetwork = new GammaNetwork(scope, { ...config.options.network, classes });
    return {
      gammaNetwork,
      network: gammaNetwork,
      forward: (images, pass = fastInferencePass) => networkOutputs(through(gammaNetwork, images, pass), pass.sizes),
    };
  }
  const network = new DeepLab(scope, { classes, ...config.network, spectralImage: config.view.crop });
  const second =
    config.teacher?.learns === "uncertainty"
      ? new UncertaintyHead(scope.child(UNCERTAINTY_HEAD), config.network.features)
      : null;
  return {
    gammaNetwork: null,
    network,
    forward(images, pass = fastInferencePass) {
      const { features, logits } = through(network, images, pass);
      const predictedUncertainty = second === null ? {} : { predictedUncertainty: second.forward(features, pass) };
      return networkOutputs({ features, logits, ...predictedUncertainty }, pass.sizes);
    },
  };
}

function through(network: DroppingNetwork, images: Value, pass: Pass): Pick<NetworkOutputs, "features" | "logits"> {
  const features = network.features(images, pass);
  return { features, logits: network.head(features, pass) };
}
