import { type Graph, inputsOf } from "../../engine/graph/graph.js";
import { input, type Value } from "../../engine/graph/value.js";
import { add, mul } from "../../engine/ops/elementwise.js";
import { scalar, type Tensors } from "../../engine/tensor/hostTensor.js";
import type { TensorType } from "../../engine/tensor/shape.js";
import { PassRecorder } from "../../networks/layers/pass.js";
import { type Param, Scope } from "../../networks/layers/scope.js";
import { adamW, type Optimiser } from "../../networks/optim/optimiser.js";
import { type Carried, startOf, type TrainStep, trainStep } from "../../networks/optim/trainStep.js";
import { type Adaptation, adaptation, newHistory } from "./adaptation.js";
import type { Crop } from "./batchInputs.js";
import { thingsAmong } from "./labelCells.js";
import type { Losses, StageParts } from "./losses.js";
import { GammaNetwork, type GammaNetworkOptions, type Part } from "./network.js";
import type { GammaOptions, LossName } from "./options.js";
import { pretraining } from "./pretraining.js";
import { averaged, newTeacher, studentOf, TEACHER } from "./teacher.js";

/** Pre-training; the second stage with E frozen; the second stage. */
export type StageName = "pretraining" | "warm-up" | "adaptation";

export interface StepPlan {
  readonly options: GammaOptions;
  /** Names of the K known classes, in the order of their ids. */
  readonly classes: readonly string[];
  readonly crop: Crop;
  readonly stage: StageName;
  readonly optimiser?: Optimiser;
}

/** A training step of the method, and what must be fed to it besides its own state, `learningRate` and `step`. */
export interface GammaStep extends TrainStep {
  /** The batch: images, labels, matrices and masks, by name. */
  readonly batch: ReadonlyMap<string, TensorType>;
  /** Uniform noise in [0, 1), for dropout. */
  readonly noises: ReadonlyMap<string, TensorType>;
  /** Loss weights, which may be turned while training: `weight.<loss>` and the value the options give it. */
  readonly dials: Readonly<Record<string, number>>;
}

/** A stage before it is differentiated. */
export interface BuiltStage {
  readonly network: GammaNetwork;
  readonly losses: Losses;
  readonly measures: Readonly<Record<string, Value>>;
  /** New values of everything that is gathered: running statistics, prototypes, the teacher. */
  readonly gathered: ReadonlyMap<Param, Value>;
  /** Where gathered values start that do not start by themselves. */
  readonly starts: ReadonlyMap<Param, Carried["start"]>;
}

/** The losses and measures of a stage. */
export function buildStage({ options, classes, crop, stage }: StepPlan): BuiltStage {
  const { perturbation } = options;
  const shape: GammaNetworkOptions = {
    ...options.network,
    classes: classes.length,
    // Dropout that makes two segmentations differ sits where MC dropout has it.
    ...(perturbation.kind === "dropout" && { encoderDropout: perturbation.rate }),
  };
  const network = new GammaNetwork(new Scope(), shape);
  const recorder = new PassRecorder();
  const frozen = stage !== "pretraining" && options.batchNorm === "frozen";
  const pass: StageParts["pass"] = (own) => recorder.pass({ ...own, ...(frozen && { batchNorm: "running" }) });
  const parts = { options, network, pass, crop, classes: classes.length, things: thingsAmong(classes) };
  if (stage === "pretraining") {
    const losses = pretraining({ ...parts, teacher: network });
    return { network, losses, measures: {}, gathered: statistics(network, recorder), starts: new Map() };
  }
  const keep = options.teacher.kind === "averaged" ? options.teacher.keep : null;
  const teacher = keep === null ? network : newTeacher(shape);
  const history = newHistory(network.channels, classes.length);
  const { losses, measures, remembered }: Adaptation = adaptation({ ...parts, teacher }, history);
  const rates = ratesOf(options, stage);
  const average = keep === null ? new Map<Param, Value>() : averaged(teacher, network, keep, (part) => rates[part] > 0);
  return {
    network,
    losses,
    measures,
    gathered: new Map([...statistics(network, recorder), ...remembered, ...average]),
    starts: new Map([...average.keys()].map((param) => [param, startOf(studentOf(param, network))])),
  };
}

/** What multiplies the learning rate of each part in a stage. A part of rate 0 is frozen: nothing flows back through it. */
export function ratesOf({ training }: GammaOptions, stage: StageName): Record<Part, number> {
  if (stage === "pretraining") return { stem: 1, encoder: 1, head: 1, projection: 1 };
  const encoder = stage === "warm-up" ? { stem: 0, encoder: 0 } : {};
  return { ...training.rates, projection: 1, ...encoder };
}

/** Running statistics after a step: moved on, or handed on as they are, so that every stage carries the whole network. */
function statistics({ params }: GammaNetwork, { updates }: PassRecorder): Map<Param, Value> {
  return new Map(
    params.filter((param) => !param.trained).map((param) => [param, updates.get(param) ?? param.value] as const),
  );
}

/**
 * A training step of one stage: one graph, to be run by a `Stepper`.
 *
 * Measurements: `loss` and `loss.<name>` of each loss; in the second stage also those of `health`. All stages of a run carry the
 * network under the same names.
 */
export function gammaStep(plan: StepPlan): GammaStep {
  const { options, stage, optimiser = adamW() } = plan;
  const { network, losses, measures, gathered, starts } = buildStage(plan);
  const named = Object.entries(losses) as [LossName, Value][];
  const dialOf = (name: LossName): string => `weight.${name}`;
  const loss = named
    .map(([name, value]) => mul(value, input(dialOf(name), { dtype: "float32", shape: [] })))
    .reduce((total, one) => add(total, one));
  const rates = ratesOf(options, stage);
  const step = trainStep({
    loss,
    params: network.params,
    optimiser,
    gathered,
    group: (param) => ({ weightDecay: 0, learningRateFactor: rates[network.partOf(param)] }),
    measures: { ...measures, ...Object.fromEntries(named.map(([name, value]) => [`loss.${name}`, value])) },
  });
  const state = new Map(step.state);
  for (const [param, start] of starts) state.set(param.path, { ...state.get(param.path)!, start });
  const dials = Object.fromEntries(named.map(([name]) => [dialOf(name), options.weights[name]]));
  return { graph: step.graph, state, dials, ...feedsOf(step.graph, [...state.keys(), ...Object.keys(dials)]) };
}

/** The inputs of a graph that come with each batch. */
function feedsOf(graph: Graph, others: readonly string[]): Pick<GammaStep, "batch" | "noises"> {
  const known = new Set([...others, "learningRate", "step"]);
  const feeds = [...inputsOf(graph)].flatMap(([name, { type }]) => (known.has(name) ? [] : [[name, type] as const]));
  const isNoise = ([name]: readonly [string, TensorType]): boolean => name.startsWith("noise.");
  return { batch: new Map(feeds.filter((feed) => !isNoise(feed))), noises: new Map(feeds.filter(isNoise)) };
}

/** The dials of a step as feeds, some of them turned. */
export const dialFeeds = ({ dials }: GammaStep, turned: Readonly<Record<string, number>> = {}): Tensors =>
  Object.fromEntries(Object.entries({ ...dials, ...turned }).map(([name, value]) => [name, scalar(value)]));

/**
 * The state a stage starts from, given the last state of the stage before it (or of a checkpoint, or of downloaded weights).
 *
 * Weights, running statistics and the prototypes' history go on; a teacher starts where the network is; the optimiser
 * starts afresh. What is not there is left out, and drawn when the step is opened.
 */
export function carryOver(from: Tensors, to: TrainStep): Tensors {
  const kept = [...to.state].flatMap(([name, { memory }]) => {
    if (memory) return [];
    const tensor = from[name.startsWith(`${TEACHER}.`) ? name.slice(TEACHER.length + 1) : name];
    return tensor === undefined ? [] : [[name, tensor] as const];
  });
  return Object.fromEntries(kept);
}
