import { type Loader, openLoader } from "../../data/loader/openLoader.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import type { HostTensor, Tensors } from "../../engine/tensor/hostTensor.js";
import { Stepper } from "../../networks/optim/stepper.js";
import { classesOf, type Place, type Stage, type Training, type TrainingData, takenOver } from "./stage.js";

export interface StageRunOptions {
  readonly runtime: Runtime;
  readonly data: TrainingData;
  readonly seed: number;
  /** Threads that prepare batches. */
  readonly workers: number;
  readonly place: Place;
  /** What the step before left; at the start of a stage, the stage picks what it can use. */
  readonly state: (training: Training) => Promise<Tensors>;
}

/** A stage under way: its compiled step and the loader that feeds it. */
export class StageRun {
  readonly stage: Stage;
  readonly training: Training;
  readonly #stepper: Stepper;
  readonly #loader: Loader;
  readonly #before: number;

  private constructor(stage: Stage, training: Training, stepper: Stepper, loader: Loader, before: number) {
    this.stage = stage;
    this.training = training;
    this.#stepper = stepper;
    this.#loader = loader;
    this.#before = before;
  }

  static async open(stage: Stage, options: StageRunOptions): Promise<StageRun> {
    const { runtime, data, seed, workers, place } = options;
    const training = stage.build(classesOf(data.source));
    const given = await options.state(training);
    const state = place.done === 0 ? takenOver(given, training) : given;
    const stepper = await Stepper.open(runtime, training.step, { seed, state, done: place.done });
    const loader = openLoader({ seed, streams: stage.streams(data), noises: training.noises }, { workers });
    return new StageRun(stage, training, stepper, loader, place.before);
  }

  /** Steps done in this stage and all before it. */
  get done(): number {
    return this.#before + this.#stepper.done;
  }

  get over(): boolean {
    return this.#stepper.done === this.stage.steps;
  }

  /** Everything carried from step to step. */
  get state(): Tensors {
    return this.#stepper.state;
  }

  /** The network alone, without what only its training needs. */
  get weights(): Tensors {
    return Object.fromEntries(this.training.params.map(({ path }) => [path, this.state[path]!]));
  }

  get waitedMs(): number {
    return this.#loader.waitedMs;
  }

  /** One step; returns the measurements that are single numbers. */
  async step(): Promise<Record<string, number>> {
    const batch = await this.#loader.batch(this.done + 1);
    const learningRate = this.stage.rate(this.#stepper.done + 1);
    return { ...scalars(await this.#stepper.run(batch, learningRate)), learningRate };
  }

  async close(): Promise<void> {
    await Promise.all([this.#stepper.close(), this.#loader.close()]);
  }
}

function scalars(measured: Readonly<Record<string, HostTensor>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(measured)
      .filter(([, { data }]) => data.length === 1)
      .map(([name, { data }]) => [name, Number(data[0])]),
  );
}
