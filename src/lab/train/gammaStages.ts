import type { Dataset } from "../../data/datasets/dataset.js";
import type { Stream } from "../../data/loader/batchPlan.js";
import { floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { CollapseAlarm } from "../../methods/gamma-ssl/collapse.js";
import { handOver } from "../../methods/gamma-ssl/handOver.js";
import { GammaNetwork } from "../../methods/gamma-ssl/network.js";
import { dialFeeds, gammaStep, type StageName } from "../../methods/gamma-ssl/step.js";
import { DECODER_STRIDE, upsampleScores } from "../../networks/models/deeplab.js";
import { restingPass } from "../../networks/nn/pass.js";
import { Scope } from "../../networks/nn/scope.js";
import { shareOfRate } from "../../networks/optim/schedule.js";
import type { GammaConfig } from "./config.js";
import type { Stage, Training, TrainingData } from "./stage.js";

/** DeepLab's usual exponent of a decaying learning rate. */
const POWER = 0.9;

/**
 * γ-SSL as stages (section VI-B): pre-training on the source; a warm-up where the options ask for one; then the adaptation to
 * each target, one after the other (a curriculum, section VI-C). Certainty that means something in one place does in the
 * next, so there is one warm-up, in the first target.
 */
export function gammaStages(config: GammaConfig): Stage[] {
  const { steps, pretrainShare, warmUp, adaptation } = config.options.training;
  const pretraining = adaptation ? Math.round(steps * pretrainShare) : steps;
  const adapting = steps - pretraining;
  const warming = Math.floor(adapting * warmUp.share);
  const first = stage(config, "pretraining", { target: 0, steps: pretraining });
  const second = [
    stage(config, "warm-up", { target: 0, steps: warming }),
    ...[...config.targets.keys()].map((target) => stage(config, "adaptation", { target, steps: adapting - warming })),
  ];
  return [first, ...(adaptation ? second : [])].filter(({ steps }) => steps > 0);
}

interface Span {
  /** Which of the targets. */
  readonly target: number;
  readonly steps: number;
}

function stage(config: GammaConfig, name: StageName, { target, steps }: Span): Stage {
  const { learningRate, schedule, adaptationRate } = config.options.training;
  const highest = name === "adaptation" ? adaptationRate ** (target + 1) * learningRate : learningRate;
  const power = schedule === "poly" ? POWER : 0;
  return {
    name: config.targets.length > 1 && name === "adaptation" ? `${name}-${target + 1}` : name,
    steps,
    build: (classes) => build(config, name, classes),
    streams: (data) => streams(config, name, data, target),
    takeOver: (state, training) => handOver(state, training.step),
    rate: (step) => highest * shareOfRate(step, steps, { warmUp: 0, power }),
  };
}

function build({ options, view }: GammaConfig, stage: StageName, classes: readonly string[]): Training {
  const step = gammaStep({ options, classes, crop: view.crop, stage });
  const network = new GammaNetwork(new Scope(), { ...options.network, classes: classes.length });
  const alarm = new CollapseAlarm();
  return {
    step,
    params: network.params,
    noises: [...step.noises].map(([name, { shape }]) => ({ name, shape })),
    dials: dialFeeds(step),
    scores: (images) => upsampleScores(network.head(network.features(images, restingPass), restingPass)),
    watch: (measured: Tensors) => {
      const predicted = measured["class.predicted"];
      return predicted === undefined ? null : alarm.note(floats(predicted, "class.predicted"));
    },
  };
}

/** What the step of a stage is fed. Prototypes are made of plain views: no colours, no local crop (P-11). */
function streams(config: GammaConfig, stage: StageName, data: TrainingData, target: number): Stream[] {
  const { view, targetColour, options } = config;
  const { batch, uniformity, prototypes, unlabelled } = options;
  const source: Stream = { kind: "labelled", name: "source", dataset: data.source, size: batch.source, view };
  const pair: Stream = {
    kind: "pair",
    name: "target",
    dataset: withoutLabels(unlabelled === "source" ? data.source : data.targets[target]!),
    size: batch.target,
    view: { ...view, colour: targetColour ?? view.colour },
    scoreStride: DECODER_STRIDE,
    plainFirst: options.plainTargets,
  };
  if (stage === "pretraining") return uniformity.pretrainOn === "target" ? [source, pair] : [source];
  const plain = { ...view, local: { ...view.local, chance: 0 }, colour: "off" } as const;
  const separate: Stream = {
    kind: "labelled",
    name: "prototype",
    dataset: data.source,
    size: batch.prototype,
    view: plain,
  };
  return prototypes.from === "separate" ? [source, separate, pair] : [source, pair];
}

/** T-11: what is trained on as unlabelled has no labels, whatever lies beside it. */
const withoutLabels = (dataset: Dataset): Dataset => ({
  ...dataset,
  labelling: null,
  items: dataset.items.map((item) => ({ ...item, labels: null })),
});
