import { inputsOf } from "../../engine/graph/graph.js";
import { compile } from "../../engine/runtime/compile.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { firstNonFinite, type HostTensor, scalar, type Tensors } from "../../engine/tensor/hostTensor.js";
import { UserError } from "../../platform/errors.js";
import type { TrainStep } from "./trainStep.js";

export interface StepperOptions {
  /** Decides the first value of every tensor that `state` does not hold. */
  readonly seed?: number;
  readonly state?: Tensors;
  /** Steps that led to `state`. */
  readonly done?: number;
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

/** Runs a training step over and over, handing each step's state to the next. */
export class Stepper {
  readonly #program: Program;
  /** Which output becomes which input of the next step. The graph itself is not kept: it is large, and compiled. */
  readonly #carried: readonly (readonly [name: string, output: string])[];
  /** What the step computes nothing from, e.g. a part of a network that no loss looks at. */
  readonly #idle: ReadonlySet<string>;
  #state: Tensors;
  #done: number;

  private constructor(program: Program, step: TrainStep, state: Tensors, done: number) {
    this.#program = program;
    this.#done = done;
    this.#carried = [...step.state].flatMap(([name, { output }]) => (output === null ? [] : [[name, output] as const]));
    const used = inputsOf(step.graph);
    this.#idle = new Set([...step.state.keys()].filter((name) => !used.has(name)));
    this.#state = state;
  }

  static async open(
    runtime: Runtime,
    step: TrainStep,
    { seed = 0, state: known = {}, done = 0 }: StepperOptions,
  ): Promise<Stepper> {
    const state = Object.fromEntries([...step.state].map(([name, { start }]) => [name, known[name] ?? start(seed)]));
    return new Stepper(await compile(runtime, step.graph), step, state, done);
  }

  /** Steps behind us, those before a resume included. */
  get done(): number {
    return this.#done;
  }

  /** Everything carried from step to step: weights, running statistics, optimiser memory. */
  get state(): Tensors {
    return this.#state;
  }

  /** One step; returns its measurements. `batch` holds the images and any noise. */
  async run(batch: Tensors, learningRate: number): Promise<Record<string, HostTensor>> {
    const known = Object.fromEntries(Object.entries(this.#state).filter(([name]) => !this.#idle.has(name)));
    const feeds = { ...known, ...batch, learningRate: scalar(learningRate), step: scalar(this.#done + 1) };
    // Results come in arrays of their own anyway: a second set to write them to would only take more memory.
    const results = await this.#program.run(feeds);
    for (const name of ["loss", "gradientNorm"]) {
      const measured = results[name];
      if (measured !== undefined && firstNonFinite(measured) >= 0) {
        throw new NonFiniteStep(`step ${this.#done + 1}: ${name} is ${measured.data[0]}`, feeds);
      }
    }
    const next: Record<string, HostTensor> = { ...this.#state };
    for (const [name, output] of this.#carried) {
      next[name] = results[output]!;
      delete results[output];
    }
    this.#state = next;
    this.#done++;
    return results;
  }

  close(): Promise<void> {
    return this.#program.close();
  }
}
