import { compile } from "../../engine/runtime/compile.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { type HostTensor, scalar, type Tensors } from "../../engine/tensor/hostTensor.js";
import type { TrainStep } from "./trainStep.js";

/** Runs a training step over and over, handing each step's state to the next. */
export class Stepper {
  readonly #program: Program;
  readonly #step: TrainStep;
  #state: Tensors;
  #count = 0;

  private constructor(program: Program, step: TrainStep, state: Tensors) {
    this.#program = program;
    this.#step = step;
    this.#state = state;
  }

  static async open(runtime: Runtime, step: TrainStep, { seed }: { readonly seed: number }): Promise<Stepper> {
    const state = Object.fromEntries([...step.state].map(([name, { start }]) => [name, start(seed)]));
    return new Stepper(await compile(runtime, step.graph), step, state);
  }

  /** Everything carried from step to step: weights, running statistics, optimiser memory. */
  get state(): Tensors {
    return this.#state;
  }

  /** One step; returns its measurements. `feeds` holds the batch and any noise. */
  async run(feeds: Tensors, learningRate: number): Promise<Record<string, HostTensor>> {
    this.#count++;
    // Results come in arrays of their own anyway: a second set to write them to would only take more memory.
    const results = await this.#program.run({
      ...this.#state,
      ...feeds,
      learningRate: scalar(learningRate),
      step: scalar(this.#count),
    });
    const next: Record<string, HostTensor> = {};
    for (const [name, { output }] of this.#step.state) {
      next[name] = results[output]!;
      delete results[output];
    }
    this.#state = next;
    return results;
  }

  close(): Promise<void> {
    return this.#program.close();
  }
}
