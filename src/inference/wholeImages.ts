import { type ImageLevels, imagesTensor } from "../data/images/tensors.js";
import { input, type Value } from "../engine/graph/value.js";
import { compile } from "../engine/runtime/compile.js";
import { ProgramCache } from "../engine/runtime/programCache.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import type { HostTensor, Tensors } from "../engine/tensor/hostTensor.js";

/** What to compute for images [N, 3, H, W], by name; each [N, …, H, W]. Sizes that the network cannot take are its to pad. */
export type Forward = (images: Value) => Record<string, Value>;

/** A network at rest, over whole images of any size: a program is compiled for each size met, and a few are kept. */
export class WholeImages {
  readonly #runtime: Runtime;
  readonly #forward: Forward;
  readonly #weights: () => Tensors;
  readonly #programs = new ProgramCache();

  /** `weights` are fed at each run; as a function where only building the program tells all of them. */
  constructor(runtime: Runtime, forward: Forward, weights: Tensors | (() => Tensors)) {
    this.#runtime = runtime;
    this.#forward = forward;
    this.#weights = typeof weights === "function" ? weights : () => weights;
  }

  /** Images of one size. */
  run(images: readonly ImageLevels[], weights?: Tensors): Promise<Record<string, HostTensor>> {
    return this.runOn(imagesTensor(images), weights);
  }

  /** Images as the network takes them, [N, 3, H, W]; with other weights than its own where they are given. */
  runOn(images: HostTensor, weights?: Tensors): Promise<Record<string, HostTensor>> {
    const { shape } = images;
    return this.#programs.run(
      shape.join("x"),
      () => compile(this.#runtime, { outputs: this.#forward(input("images", { dtype: "float32", shape })) }),
      () => ({ ...(weights ?? this.#weights()), images }),
    );
  }

  close(): Promise<void> {
    return this.#programs.close();
  }
}
