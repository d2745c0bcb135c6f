import type { PlainView } from "../../data/augment/pairOfViews.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import type { Stream } from "../../data/loader/batchPlan.js";
import { floats, scalar, type Tensors } from "../../engine/tensor/hostTensor.js";
import { newHistory } from "../../methods/gamma-ssl/adaptation.js";
import { CollapseAlarm } from "../../methods/gamma-ssl/collapse.js";
import { handOver } from "../../methods/gamma-ssl/handOver.js";
import { GammaNetwork } from "../../methods/gamma-ssl/network.js";
import { dialFeeds, gammaStep, type StageName } from "../../methods/gamma-ssl/step.js";
import { DECODER_STRIDE, upsampleScores } from "../../networks/models/deeplab.js";
import { restingPass } from "../../networks/nn/pass.js";
import { Scope } from "../../networks/nn/scope.js";
import { shareOfRate } from "../../networks/optim/schedule.js";
import type { GammaConfig } from "./config.js";
import { keptAnswers } from "./keptAnswers.js";
import { classesOf, type Stage, type Training, type TrainingData } from "./stage.js";
import { unlabelledView } from "./unlabelledView.js";

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
  const first = stage(config, "pretraining", { target: 0, arrives: false, steps: pretraining });
  const second = [
    stage(config, "warm-up", { target: 0, arrives: true, steps: warming }),
    ...[...config.targets.keys()].map((target) =>
      stage(config, "adaptation", { target, arrives: target > 0 || warming === 0, steps: adapting - warming }),
    ),
  ];
  return [first, ...(adaptation ? second : [])].filter(({ steps }) => steps > 0);
}

interface Span {
  /** Which of the targets. */
  readonly target: number;
  /** Whether it is the first stage there. */
  readonly arrives: boolean;
  readonly steps: number;
}

function stage(config: GammaConfig, name: StageName, { target, arrives, steps }: Span): Stage {
  const { learningRate, schedule, adaptationRate } = config.options.training;
  const highest = name === "adaptation" ? adaptationRate * learningRate : learningRate;
  const power = schedule === "poly" ? POWER : 0;
  return {
    name: config.targets.length > 1 && name === "adaptation" ? `${name}-${target + 1}` : name,
    steps,
    build: (classes) => build(config, name, classes),
    takeOver: async (state, training, { runtime, data, seed }) => {
      const taken = handOver(state, training.step);
      if (!arrives || config.options.familiarity === null) return taken;
      const frames = unlabelledOf(config, data, target);
      const kept = await keptAnswers(runtime, config, {
        classes: classesOf(data.source),
        weights: taken,
        frames,
        seed,
      });
      return { ...taken, [KEPT_ANSWERS]: scalar(kept) };
    },
    needless: (state) => {
      const { kept, familiar } = familiarityOf(config.options, state);
      if (config.options.training.adaptsTo === "every" || name !== "adaptation" || arrives || familiar) return null;
      return `${config.targets[target]}: ${kept!.toFixed(3)} of the answers are kept under drawn colours, less than ${config.options.familiarity}; the warm-up is all that is learnt there`;
    },
    streams: (data, state) => streams(config, name, data, { target, state }),
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

/** Where the state carries what was measured on arrival. */
const KEPT_ANSWERS = newHistory(1, 1).keptAnswers.path;

/** Whether a network knows the place it is in. Where nothing was measured, it is taken for a familiar one. */
function familiarityOf(
  { familiarity }: GammaConfig["options"],
  state: Tensors,
): { readonly kept: number | null; readonly familiar: boolean } {
  const measured = state[KEPT_ANSWERS];
  const kept = measured === undefined ? null : floats(measured, KEPT_ANSWERS)[0]!;
  return { kept, familiar: kept === null || familiarity === null || kept >= familiarity };
}

/** Which view of a pair keeps its colours. */
function plainView(options: GammaConfig["options"], state: Tensors): PlainView {
  if (options.familiarity === null) return "none";
  return familiarityOf(options, state).familiar ? "either" : "first";
}

/** What the step of a stage is fed. Prototypes are made of plain views: no colours, no local crop (P-11). */
function streams(
  config: GammaConfig,
  stage: StageName,
  data: TrainingData,
  { target, state }: { readonly target: number; readonly state: Tensors },
): Stream[] {
  const { view, options } = config;
  const { batch, uniformity, prototypes } = options;
  const source: Stream = { kind: "labelled", name: "source", dataset: data.source, size: batch.source, view };
  const pair: Stream = {
    kind: "pair",
    name: "target",
    dataset: unlabelledOf(config, data, target),
    size: batch.target,
    view: unlabelledView(config),
    scoreStride: DECODER_STRIDE,
    plain: plainView(options, state),
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

const unlabelledOf = ({ options }: GammaConfig, data: TrainingData, target: number): Dataset =>
  withoutLabels(options.unlabelled === "source" ? data.source : data.targets[target]!);

/** T-11: what is trained on as unlabelled has no labels, whatever lies beside it. */
const withoutLabels = (dataset: Dataset): Dataset => ({
  ...dataset,
  labelling: null,
  items: dataset.items.map((item) => ({ ...item, labels: null })),
});
