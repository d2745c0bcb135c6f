import type { Value } from "../engine/graph/value.js";
import { labelledBatch } from "../methods/gamma-ssl/batchInputs.js";
import { PassRecorder } from "../networks/layers/pass.js";
import { type Param, Scope } from "../networks/layers/scope.js";
import { crossEntropy } from "../networks/losses/crossEntropy.js";
import { DeepLab, upsampleScores } from "../networks/models/deeplab.js";
import { adamW } from "../networks/optim/optimiser.js";
import { shareOfRate } from "../networks/optim/schedule.js";
import { trainStep } from "../networks/optim/trainStep.js";
import type { SupervisedConfig } from "../runs/config.js";
import { type Stage, type Training, withoutMemory } from "./stage.js";

/** Cross-entropy on labelled images: what most of the baselines start from. */
export const supervised = (config: SupervisedConfig): Stage => ({
  name: "supervised",
  ...course(config),
  build: (classes) => build(config, classes.length),
});

/** What every training on labelled images has in common, whatever it learns from them. */
export function course(config: SupervisedConfig): Omit<Stage, "name" | "build"> {
  const { batch, view, steps, schedule } = config;
  return {
    steps,
    streams: ({ source }) => [{ kind: "labelled", name: "source", dataset: source, size: batch, view }],
    carryOver: withoutMemory,
    rate: (step, all) => config.learningRate * shareOfRate(step, all, schedule),
  };
}

function build(config: SupervisedConfig, classes: number): Training {
  const scope = new Scope();
  const network = new DeepLab(scope, { classes, ...config.network, spectralImage: config.view.crop });
  const { images, labels } = labelledBatch("source", config.batch, config.view.crop);
  const recorder = new PassRecorder();
  const pass = recorder.pass();
  const loss = crossEntropy(upsampleScores(network.head(network.features(images, pass), pass)), labels);
  return learning(config, { params: scope.params, recorder, loss });
}

/** A step that lowers a loss, with everything a training needs beside it. */
export function learning(
  config: SupervisedConfig,
  parts: {
    readonly params: readonly Param[];
    readonly recorder: PassRecorder;
    readonly loss: Value;
    readonly measures?: Readonly<Record<string, Value>>;
  },
): Training {
  const { params, recorder, loss, measures = {} } = parts;
  const step = trainStep({
    loss,
    params,
    optimiser: adamW(),
    gathered: recorder.updates,
    group: ({ path, shape }) => ({
      // Biases and batch-norm parameters are vectors; decaying them only hurts.
      weightDecay: shape.length > 1 ? config.weightDecay : 0,
      learningRateFactor: path.startsWith("encoder.") ? config.encoderFactor : 1,
    }),
    ...(config.clipNorm !== null && { clipNorm: config.clipNorm }),
    measures,
  });
  return {
    step,
    params,
    noises: recorder.noises.map(({ shape }, i) => ({ name: `noise.${i}`, shape })),
    dials: {},
    watch: () => null,
  };
}
