import { compile } from "../../engine/runtime/compile.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { type HostTensor, scalar, type Tensors } from "../../engine/tensor/hostTensor.js";
import type { TrainStep } from "./trainStep.js";

/** Runs a training step over and over, handing each step's state to the next. */
export class Stepper {
  readonly #program: Program;
  /** Which output becomes which input of the next step. The graph itself is not kept: it is large, and compiled. */
  readonly #carried: readonly (readonly [name: string, output: string])[];
  #state: Tensors;
  #count = 0;

  private constructor(program: Program, step: TrainStep, state: Tensors) {
    this.#program = program;
    this.#carried = [...step.state].map(([name, { output }]) => [name, output]);
    this.#state = state;
  }

  /** Starts from a seed; tensors in `state` take the place of those that would be drawn. */
  static async open(
    runtime: Runtime,
    step: TrainStep,
    { seed = 0, state: known = {} }: { readonly seed?: number; readonly state?: Tensors },
  ): Promise<Stepper> {
    const state = Object.fromEntries([...step.state].map(([name, { start }]) => [name, known[name] ?? start(seed)]));
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
    for (const [name, output] of this.#carried) {
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
