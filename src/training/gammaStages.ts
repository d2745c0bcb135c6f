import type { Dataset } from "../data/datasets/dataset.js";
import type { Stream } from "../data/loader/batchPlan.js";
import { floats, type Tensors } from "../engine/tensor/hostTensor.js";
import { CollapseAlarm } from "../methods/gamma-ssl/collapse.js";
import { GammaNetwork } from "../methods/gamma-ssl/network.js";
import { spreadsFirst } from "../methods/gamma-ssl/pretraining.js";
import { carryOver, dialFeeds, gammaStep, type StageName } from "../methods/gamma-ssl/step.js";
import { Scope } from "../networks/layers/scope.js";
import { DECODER_STRIDE } from "../networks/models/deeplab.js";
import { shareOfRate } from "../networks/optim/optimiser.js";
import type { GammaConfig } from "../runs/config.js";
import type { Stage, Training, TrainingData } from "./stage.js";

/** DeepLab's usual exponent of a decaying learning rate. */
const POWER = 0.9;

/**
 * γ-SSL as stages (section VI-B): pre-training on the source; a warm-up of g_ρ where the options ask for one; then the adaptation to
 * each target, one after the other (a curriculum, section VI-C). g_ρ is warm once it has been through the first target, so later
 * targets have no warm-up.
 */
export function gammaStages(config: GammaConfig): Stage[] {
  const { pretraining, adaptation, warmUp } = config.options.training;
  const warming = Math.floor(adaptation * warmUp);
  return [
    stage(config, "pretraining", { target: 0, steps: pretraining }),
    stage(config, "warm-up", { target: 0, steps: warming }),
    ...[...config.targets.keys()].map((target) =>
      stage(config, "adaptation", { target, steps: target === 0 ? adaptation - warming : adaptation }),
    ),
  ].filter(({ steps }) => steps > 0);
}

interface Span {
  /** Which of the targets. */
  readonly target: number;
  readonly steps: number;
}

function stage(config: GammaConfig, name: StageName, { target, steps }: Span): Stage {
  const { learningRate, schedule } = config.options.training;
  const power = schedule === "poly" ? POWER : 0;
  return {
    name: config.targets.length > 1 && name === "adaptation" ? `${name}-${target + 1}` : name,
    steps,
    build: (classes) => build(config, name, classes),
    carryOver: (state, { step }) => carryOver(state, step),
    streams: (data) => streams(config, name, data, target),
    rate: (step, all) => learningRate * shareOfRate(step, all, { warmUp: 0, power }),
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
    watch: (measured: Tensors) => {
      const predicted = measured["class.predicted"];
      return predicted === undefined ? null : alarm.note(floats(predicted, "class.predicted"));
    },
  };
}

/** What the step of a stage is fed. Prototypes are made of plain views: no colours, no local crop, no change of scale (P-11). */
function streams(config: GammaConfig, stage: StageName, data: TrainingData, target: number): Stream[] {
  const { view, options } = config;
  const { batch, prototypes } = options;
  const source: Stream = { kind: "labelled", name: "source", dataset: data.source, size: batch.source, view };
  const pair: Stream = {
    kind: "pair",
    name: "target",
    dataset: unlabelledOf(config, data, target),
    size: batch.target,
    view,
    scoreStride: DECODER_STRIDE,
  };
  if (stage === "pretraining") return spreadsFirst(options) ? [source, pair] : [source];
  const plain = { ...view, scale: [1, 1], local: { ...view.local, chance: 0 }, colour: "off" } as const;
  const separate: Stream = {
    kind: "labelled",
    name: "prototype",
    dataset: data.source,
    size: batch.prototype,
    view: plain,
  };
  return prototypes.from === "separate" ? [source, separate, pair] : [source, pair];
}

const unlabelledOf = ({ options }: GammaConfig, data: TrainingData, target: number): Dataset =>
  withoutLabels(options.unlabelled === "source" ? data.source : data.targets[target]!);

/** T-11: what is trained on as unlabelled has no labels, whatever lies beside it. */
const withoutLabels = (dataset: Dataset): Dataset => ({
  ...dataset,
  labelling: null,
  items: dataset.items.map((item) => ({ ...item, labels: null })),
});
