import type { Dataset } from "../../data/datasets/dataset.js";
import type { Stream } from "../../data/loader/batchPlan.js";
import { input } from "../../engine/graph/value.js";
import type { Shape } from "../../engine/tensor/shape.js";
import { UserError } from "../../errors.js";
import { crossEntropy } from "../../networks/losses/crossEntropy.js";
import { DeepLab, upsampleScores } from "../../networks/models/deeplab.js";
import { Journey } from "../../networks/nn/pass.js";
import { type Param, Scope } from "../../networks/nn/scope.js";
import { adamW } from "../../networks/optim/optimiser.js";
import { type TrainStep, trainStep } from "../../networks/optim/trainStep.js";
import type { TrainConfig } from "./config.js";

/** A method as the loop sees it. */
export interface Training {
  readonly step: TrainStep;
  /** Every parameter of the network, by its checkpoint name. */
  readonly params: readonly Param[];
  /** Noise that the step asks for. */
  readonly noises: readonly { readonly name: string; readonly shape: Shape }[];
}

/** How many classes a labelled data set has. */
export function classesOf({ spec, labelling }: Dataset): number {
  if (labelling === null) {
    throw new UserError(`${spec} has no labels to learn from`, { hint: "the source of a training must be labelled" });
  }
  return labelling.classes.classes.length;
}

export const buildNetwork = (scope: Scope, { network }: TrainConfig, classes: number): DeepLab =>
  new DeepLab(scope, { classes, ...network });

/** Cross-entropy on labelled images: where the baselines start from. */
export function supervised(config: TrainConfig, classes: number): Training {
  const { batch, view } = config;
  const [height, width] = view.crop;
  const scope = new Scope();
  const network = buildNetwork(scope, config, classes);
  const images = input("source.images", { dtype: "float32", shape: [batch, 3, height, width] });
  const labels = input("source.labels", { dtype: "int64", shape: [batch, height, width] });
  const journey = new Journey();
  const pass = journey.pass();
  const loss = crossEntropy(upsampleScores(network.head(network.features(images, pass), pass)), labels);
  const step = trainStep({
    loss,
    params: scope.params,
    optimiser: adamW(),
    gathered: journey.updates,
    group: ({ path, shape }) => ({
      // Biases and batch-norm parameters are vectors; decaying them only hurts.
      weightDecay: shape.length > 1 ? config.weightDecay : 0,
      learningRateFactor: path.startsWith("encoder.") ? config.encoderFactor : 1,
    }),
    ...(config.clipNorm !== null && { clipNorm: config.clipNorm }),
  });
  const noises = journey.noises.map(({ shape }, i) => ({ name: `noise.${i}`, shape }));
  return { step, params: scope.params, noises };
}

/** What the loader must bring for a step. */
export function streamsOf({ batch, view }: TrainConfig, { source }: { readonly source: Dataset }): Stream[] {
  return [{ kind: "labelled", name: "source", dataset: source, size: batch, view }];
}
