import { input, type Value } from "../../engine/graph/value.js";
import { crossEntropy } from "../../networks/losses/crossEntropy.js";
import { DeepLab, upsampleScores } from "../../networks/models/deeplab.js";
import { Journey, type Pass, restingPass } from "../../networks/nn/pass.js";
import { Scope } from "../../networks/nn/scope.js";
import { adamW } from "../../networks/optim/optimiser.js";
import { shareOfRate } from "../../networks/optim/schedule.js";
import { trainStep } from "../../networks/optim/trainStep.js";
import type { SupervisedConfig } from "./config.js";
import { type Stage, type Training, withoutMemory } from "./stage.js";

/** Cross-entropy on labelled images: what most of the baselines start from. */
export function supervised(config: SupervisedConfig): Stage {
  const { batch, view, steps, schedule } = config;
  return {
    name: "supervised",
    steps,
    build: (classes) => build(config, classes.length),
    streams: ({ source }) => [{ kind: "labelled", name: "source", dataset: source, size: batch, view }],
    takeOver: withoutMemory,
    counted: 0,
    rate: (step) => config.learningRate * shareOfRate(step, steps, schedule),
  };
}

function build(config: SupervisedConfig, classes: number): Training {
  const { batch, view, network: shape } = config;
  const [height, width] = view.crop;
  const scope = new Scope();
  const network = new DeepLab(scope, { classes, ...shape, spectralImage: view.crop });
  const images = input("source.images", { dtype: "float32", shape: [batch, 3, height, width] });
  const labels = input("source.labels", { dtype: "int64", shape: [batch, height, width] });
  const journey = new Journey();
  const pass = journey.pass();
  const scores = (x: Value, by: Pass): Value => upsampleScores(network.head(network.features(x, by), by));
  const loss = crossEntropy(scores(images, pass), labels);
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
  return {
    step,
    params: scope.params,
    noises,
    dials: {},
    scores: (x) => scores(x, restingPass),
    watch: () => null,
  };
}
