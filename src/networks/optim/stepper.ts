import { inputsOf } from "../../engine/graph/graph.js";
import { compileStateful } from "../../engine/runtime/compile.js";
import type { Runtime, StatefulProgram } from "../../engine/runtime/runtime.js";
import { firstNonFinite, type HostTensor, scalar, type Tensors } from "../../engine/tensor/hostTensor.js";
import { UserError } from "../../platform/errors.js";
import type { TrainStep } from "./trainStep.js";

export interface StepperOptions {
  /** Decides the first value of every tensor that `state` does not hold. */
  readonly seed?: number;
  readonly state?: Tensors;
  /** Steps that led to `state`. */
  readonly done?: number;
  /** What every step is given and none changes, beside the state. */
  readonly fixed?: Tensors;
}

/** A step whose loss or gradient is NaN or infinite. The stepper still holds the state from before it. */
export class NonFiniteStep extends UserError {
  /** Everything the step was given. */
  readonly feeds: Tensors;

  constructor(message: string, feeds: Tensors) {
    super(message);
    this.name = "NonFiniteStep";
    this.feeds = feeds;
  }
}

/** Measures that are finite only if everything is. */
const TELLING = ["loss", "gradientNorm"];

/** Runs a training step over and over, handing each step's state to the next. */
export class Stepper {
  readonly #program: StatefulProgram;
  /** What the step computes nothing from, e.g. a part of a network that no loss looks at. */
  readonly #idle: Tensors;
  readonly #fixed: ReadonlySet<string>;
  #done: number;

  private constructor(program: StatefulProgram, idle: Tensors, fixed: ReadonlySet<string>, done: number) {
    this.#program = program;
    this.#idle = idle;
    this.#fixed = fixed;
    this.#done = done;
  }

  static async open(
    runtime: Runtime,
    step: TrainStep,
    { seed = 0, state: known = {}, done = 0, fixed = {} }: StepperOptions,
  ): Promise<Stepper> {
    const used = inputsOf(step.graph);
    const idle: Record<string, HostTensor> = {};
    const start: Record<string, HostTensor> = { ...fixed };
    const outputs = new Map<string, string | null>(Object.keys(fixed).map((name) => [name, null]));
    for (const [name, carried] of step.state) {
      const tensor = known[name] ?? carried.start(seed);
      if (!used.has(name) && carried.output === null) idle[name] = tensor;
      else {
        start[name] = tensor;
        outputs.set(name, carried.output);
      }
    }
    // The graph itself is not kept: it is large, and compiled.
    const program = await compileStateful(runtime, step.graph, { outputs, start });
    return new Stepper(program, idle, new Set(Object.keys(fixed)), done);
  }

  /** Steps behind us, those before a resume included. */
  get done(): number {
    return this.#done;
  }

  /** Bytes that the last step moved to and from the device. */
  get movedBytes(): number {
    return this.#program.movedBytes();
  }

  /** Everything carried from step to step: weights, running statistics, optimiser memory. */
  async state(): Promise<Tensors> {
    const all = Object.entries({ ...this.#idle, ...(await this.#program.state()) });
    return Object.fromEntries(all.filter(([name]) => !this.#fixed.has(name)));
  }

  /** One step; returns its measurements. `batch` holds the images and any noise. */
  async run(batch: Tensors, learningRate: number): Promise<Record<string, HostTensor>> {
    const feeds = { ...batch, learningRate: scalar(learningRate), step: scalar(this.#done + 1) };
    const isBad = (name: string, results: Tensors): boolean =>
      results[name] !== undefined && firstNonFinite(results[name]) >= 0;
    const results = await this.#program.run(feeds, (found) => !TELLING.some((name) => isBad(name, found)));
    const bad = TELLING.find((name) => isBad(name, results));
    if (bad !== undefined) {
      const message = `step ${this.#done + 1}: ${bad} is ${results[bad]!.data[0]}`;
      throw new NonFiniteStep(message, { ...(await this.#program.state()), ...feeds });
    }
    this.#done++;
    return results;
  }

  close(): Promise<void> {
    return this.#program.close();
  }
}
