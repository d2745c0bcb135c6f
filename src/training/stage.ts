import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import type { BatchPlan, Stream } from "../data/loader/batchPlan.js";
import type { Loader } from "../data/loader/openLoader.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import type { Tensors } from "../engine/tensor/hostTensor.js";
import type { Shape } from "../engine/tensor/shape.js";
import type { Param } from "../networks/layers/scope.js";
import { Stepper } from "../networks/optim/stepper.js";
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
export interface StagePlace {
  readonly index: number;
  /** Steps done in this stage, and in all stages before it. */
  readonly done: number;
  readonly before: number;
}

/** The stage of the step that comes after `done` steps; the last stage when there is none. */
export function placeAfter(done: number, stages: readonly Stage[]): StagePlace {
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

/** What a stage needs of a loader. */
export type Batches = Pick<Loader, "batch" | "waitedMs" | "close">;

/** Everything here also runs in a browser: what reads images is handed in. */
export interface StageRunOptions {
  readonly folder: string;
  readonly runtime: Runtime;
  readonly data: TrainingData;
  readonly seed: number;
  /** Starts to make the batches of a plan. */
  readonly open: (plan: BatchPlan) => Batches;
  readonly place: StagePlace;
  /** What the step before left; at the start of a stage, the stage picks what it can use. */
  readonly state: (training: Training) => Promise<Tensors>;
}

/** What a step measured, and what a person should know about it. */
export interface StepReport {
  readonly scalars: Readonly<Record<string, number>>;
  /** One number for each class. */
  readonly lists: Readonly<Record<string, readonly number[]>>;
  readonly remark: string | null;
}

/** A stage under way: its compiled step and the loader that feeds it. */
export class StageRun {
  readonly stage: Stage;
  readonly training: Training;
  readonly #stepper: Stepper;
  readonly #loader: Batches;
  readonly #before: number;
  /** In each of its batches. */
  readonly images: number;

  private constructor(
    stage: Stage,
    training: Training,
    open: { stepper: Stepper; loader: Batches; before: number; images: number },
  ) {
    this.stage = stage;
    this.training = training;
    this.#stepper = open.stepper;
    this.#loader = open.loader;
    this.#before = open.before;
    this.images = open.images;
  }

  static async open(stage: Stage, options: StageRunOptions): Promise<StageRun> {
    const { folder, runtime, data, seed, open, place } = options;
    const training = stage.build(classesOf(data.source));
    const fixed = (await training.fixed?.(folder)) ?? {};
    const given = await options.state(training);
    const state = place.done === 0 ? stage.carryOver(given, training) : given;
    const stepper = await Stepper.open(runtime, training.step, { seed, state, done: place.done, fixed });
    const streams = stage.streams(data);
    const loader = open({ seed, streams, noises: training.noises });
    return new StageRun(stage, training, {
      stepper,
      loader,
      before: place.before,
      images: imagesIn(stage, data),
    });
  }

  /** Steps done in this stage and all before it. */
  get done(): number {
    return this.#before + this.#taken;
  }

  get over(): boolean {
    return this.#taken === this.stage.steps;
  }

  /** Steps of this stage alone. */
  get #taken(): number {
    return this.#stepper.done;
  }

  /** Everything carried from step to step. */
  state(): Promise<Tensors> {
    return this.#stepper.state();
  }

  /** The network alone, without what only its training needs. */
  async weights(): Promise<Tensors> {
    const state = await this.state();
    return Object.fromEntries(this.training.params.map(({ path }) => [path, state[path]!]));
  }

  get waitedMs(): number {
    return this.#loader.waitedMs;
  }

  /** One step. */
  async step(): Promise<StepReport> {
    const batch = await this.#loader.batch(this.done + 1);
    const learningRate = this.stage.rate(this.#taken + 1, this.stage.steps);
    const measured = await this.#stepper.run({ ...batch, ...this.training.dials }, learningRate);
    const lists = Object.entries(measured).map(([name, { data }]) => [name, Array.from(data, Number)] as const);
    return {
      scalars: {
        ...Object.fromEntries(lists.filter(([, list]) => list.length === 1).map(([name, list]) => [name, list[0]!])),
        learningRate,
      },
      lists: Object.fromEntries(lists.filter(([, list]) => list.length > 1)),
      remark: this.training.watch(measured),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#stepper.close(), this.#loader.close()]);
  }
}
