import type { Dataset } from "../data/datasets/dataset.js";
import type { Stream } from "../data/loader/batchPlan.js";
import type { Tensors } from "../engine/tensor/hostTensor.js";
import type { Shape } from "../engine/tensor/shape.js";
import type { Param } from "../networks/layers/scope.js";
import type { TrainStep } from "../networks/optim/trainStep.js";

/** The data sets of a training, opened. */
export interface TrainingData {
  readonly source: Dataset;
  /** Unlabelled, in the order of the curriculum. */
  readonly targets: readonly Dataset[];
}

/** What a stage computes at each step. */
export interface Training {
  readonly step: TrainStep;
  /** Every parameter of the network, by its checkpoint name. */
  readonly params: readonly Param[];
  /** Noise that the step needs. */
  readonly noises: readonly { readonly name: string; readonly shape: Shape }[];
  /** Fed at every step beside the batch, e.g. the weights of losses. */
  readonly dials: Tensors;
  /** Tensors from files that are fed at every step and never change, e.g. a teacher's weights; paths are from the run folder. */
  readonly fixed?: (runFolder: string) => Promise<Tensors>;
  /** Looks at the measurements of each step; says what a person should know, else null. */
  watch(measured: Tensors): string | null;
}

/** A part of a training with a step of its own. Most trainings have one; those of the paper have two or more. */
export interface Stage {
  readonly name: string;
  readonly steps: number;
  /** Built when it is reached: graphs are large. */
  build(classes: readonly string[]): Training;
  /** What it takes over from the state that the stage before it, or a file, left. */
  carryOver(state: Tensors, training: Training): Tensors;
  /** What the loader must bring. */
  streams(data: TrainingData): Stream[];
  /** Learning rate at a step of this stage, counted from 1, if it has so many steps in all. */
  rate(step: number, steps: number): number;
}

/** Where in its stages a training stands. */
export interface Place {
  readonly index: number;
  /** Steps done in this stage, and in all stages before it. */
  readonly done: number;
  readonly before: number;
}

/** The stage of the step that comes after `done` steps; the last stage when there is none. */
export function placeAfter(done: number, stages: readonly Stage[]): Place {
  let before = 0;
  let index = 0;
  while (index < stages.length - 1 && done >= before + stages[index]!.steps) before += stages[index++]!.steps;
  return { index, done: done - before, before };
}

/** Images in a batch of a stage. */
export const imagesIn = (stage: Stage, data: TrainingData): number =>
  stage.streams(data).reduce((total, { size }) => total + size, 0);

export const stepsOf = (stages: readonly Stage[]): number => stages.reduce((total, { steps }) => total + steps, 0);

/** The network, and whatever else is carried under the same name; the optimiser starts afresh. */
export function withoutMemory(state: Tensors, { step }: Training): Tensors {
  return Object.fromEntries(Object.entries(state).filter(([name]) => step.state.get(name)?.memory === false));
}
