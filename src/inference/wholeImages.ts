import { imagesTensor, type RgbImage } from "../data/images/tensors.js";
import { input, type Value } from "../engine/graph/value.js";
import { compile } from "../engine/runtime/compile.js";
import type { Program, Runtime } from "../engine/runtime/runtime.js";
import type { HostTensor, Tensors } from "../engine/tensor/hostTensor.js";

/** What to compute for images [N, 3, H, W], by name; each [N, …, H, W]. Sizes that the network cannot take are its to pad. */
export type Forward = (images: Value) => Record<string, Value>;

/** A network at rest, over whole images of any size: a program is compiled for each size met. */
export class WholeImages {
  readonly #runtime: Runtime;
  readonly #forward: Forward;
  readonly #weights: () => Tensors;
  readonly #programs = new Map<string, Promise<Program>>();

  /** `weights` are fed at each run; as a function where only building the program tells all of them. */
  constructor(runtime: Runtime, forward: Forward, weights: Tensors | (() => Tensors)) {
    this.#runtime = runtime;
    this.#forward = forward;
    this.#weights = typeof weights === "function" ? weights : () => weights;
  }

  /** Images of one size. */
  run(images: readonly RgbImage[], weights?: Tensors): Promise<Record<string, HostTensor>> {
    return this.runOn(imagesTensor(images), weights);
  }

  /** Images as the network takes them, [N, 3, H, W]; with other weights than its own where they are given. */
  async runOn(images: HostTensor, weights?: Tensors): Promise<Record<string, HostTensor>> {
    const program = await this.#programFor(images);
    return program.run({ ...(weights ?? this.#weights()), images });
  }

  async close(): Promise<void> {
    for (const program of this.#programs.values()) await (await program).close();
  }

  #programFor({ shape }: HostTensor): Promise<Program> {
    const key = shape.join("x");
    const known = this.#programs.get(key);
    if (known !== undefined) return known;
    const images = input("images", { dtype: "float32", shape });
    const program = compile(this.#runtime, { outputs: this.#forward(images) });
    this.#programs.set(key, program);
    return program;
  }
}
