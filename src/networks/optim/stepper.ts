import { compile } from "../../engine/runtime/compile.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { type HostTensor, scalar, type Tensors, zeros } from "../../engine/tensor/hostTensor.js";
import type { TrainStep } from "./trainStep.js";

/** Runs a training step over and over, handing each step's state to the next. */
export class Stepper {
  readonly #program: Program;
  readonly #step: TrainStep;
  #state: Record<string, HostTensor>;
  /** The step reads one set of arrays and writes the other, then they change places. */
  #spare: Record<string, HostTensor>;
  #count = 0;

  private constructor(program: Program, step: TrainStep, state: Record<string, HostTensor>) {
    this.#program = program;
    this.#step = step;
    this.#state = state;
    this.#spare = Object.fromEntries(Object.entries(state).map(([name, tensor]) => [name, zeros(tensor)]));
  }

  static async open(runtime: Runtime, step: TrainStep, start: { seed: number } | { state: Tensors }): Promise<Stepper> {
    const state = Object.fromEntries(
      [...step.state].map(([name, { start: first }]) => [
        name,
        "seed" in start ? first(start.seed) : copyOf(start.state[name]!),
      ]),
    );
    return new Stepper(await compile(runtime, step.graph), step, state);
  }

  /** Everything carried from step to step: weights, running statistics, optimiser memory. */
  get state(): Tensors {
    return this.#state;
  }

  /** One step; returns its measurements. `feeds` holds the batch and any noise. */
  async run(feeds: Tensors, learningRate: number): Promise<Record<string, HostTensor>> {
    const into: Record<string, HostTensor> = {};
    for (const [name, { output }] of this.#step.state) into[output] = this.#spare[name]!;
    this.#count++;
    const results = await this.#program.run(
      { ...this.#state, ...feeds, learningRate: scalar(learningRate), step: scalar(this.#count) },
      into,
    );
    [this.#state, this.#spare] = [this.#spare, this.#state];
    return Object.fromEntries(Object.entries(results).filter(([name]) => !(name in into)));
  }

  close(): Promise<void> {
    return this.#program.close();
  }
}

const copyOf = ({ dtype, shape, data }: HostTensor): HostTensor => ({ dtype, shape, data: data.slice() });
