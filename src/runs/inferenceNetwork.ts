import { join } from "node:path";
import type { HostTensor, Tensors } from "../engine/tensor/hostTensor.js";
import { UserError } from "../platform/errors.js";
import { beginsElsewhere, type TrainConfig } from "./config.js";
import { fingerprintOf } from "./fingerprint.js";
import { networkOf, type RunNetwork, type TrainedRun } from "./openRun.js";
import { runFiles, startFile } from "./runFiles.js";
import { readSealedTensors } from "./sealedTensors.js";

/** A network at rest with its weights: what methods score with. */
export interface InferenceNetwork extends RunNetwork {
  /** Where its weights lie in the run folder; results name it. */
  readonly file: string;
  /** The same for the same weights, whatever file they are in. */
  readonly fingerprint: string;
  readonly weights: Tensors;
  readonly config: TrainConfig;
  readonly classes: number;
  /** f_ψ: weight [K, F, 1, 1], bias [K] */
  readonly head: { readonly weight: HostTensor; readonly bias: HostTensor };
}

/** A network of a config with some weights. `file` is what results will call it. */
export function inferenceNetwork(config: TrainConfig, weights: Tensors, file: string): InferenceNetwork {
  const [weight, bias] = ["weight", "bias"].map((part) => weights[`segmentation_head.0.${part}`]);
  if (weight === undefined || bias === undefined) {
    throw new UserError(`${file} holds no segmentation head`, { hint: "is it the weights of a gssl train run?" });
  }
  const classes = bias.shape[0]!;
  return {
    file,
    fingerprint: fingerprintOf(weights),
    weights,
    config,
    classes,
    head: { weight, bias },
    ...networkOf({ config, classes }),
  };
}

/** The network that a run ended with. */
export const finalNetwork = ({ config, weights }: TrainedRun): InferenceNetwork =>
  inferenceNetwork(config, weights, runFiles.weights);

/**
 * The network before it saw the target, which the methods of the paper's second group share (T-2, B-11): the end of the first
 * stage of γ-SSL. A training of one stage ends there; one without it began there.
 */
export async function sourceNetwork(run: TrainedRun): Promise<InferenceNetwork> {
  const { config, folder } = run;
  if (config.method === "supervised" || !config.options.training.adaptation) return finalNetwork(run);
  if (beginsElsewhere(config)) {
    return inferenceNetwork(config, await readTensors(join(folder, startFile)), config.weights ?? startFile);
  }
  const file = `${runFiles.stages}/1-pretraining.safetensors`;
  return inferenceNetwork(config, await readTensors(join(folder, file)), file);
}

/** Weights in a file of a run. */
export const readTensors = async (path: string): Promise<Tensors> =>
  (await readSealedTensors(path, "the command that trained this run writes it again")).tensors;
