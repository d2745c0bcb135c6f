import { input, type Value } from "../../engine/graph/value.js";
import { slice } from "../../engine/ops/shaping.js";
import { compile } from "../../engine/runtime/compile.js";
import { ProgramCache } from "../../engine/runtime/programCache.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { float32, floats, type HostTensor } from "../../engine/tensor/hostTensor.js";
import type { Shape } from "../../engine/tensor/shape.js";
import { cropMap } from "../../inference/scored.js";
import { disagreement } from "../../methods/baselines/disagreement.js";
import type { Average } from "../../methods/parts/baselineOptions.js";
import { asBytes, type Prediction } from "./predictor.js";

/** What is asked of several segmentations: their first so many, and which measure. */
export interface DrawsWanted {
  readonly draws: number;
  readonly measure: "pe" | "mi";
}

/**
 * Turns several segmentations of an image, scores at a quarter of its size, into predictive entropy or mutual information of the
 * first few of them. A program is compiled for each size met.
 */
export class DrawsPredictor {
  readonly #runtime: Runtime;
  readonly #average: Average;
  readonly #wanted: readonly DrawsWanted[];
  readonly #programs = new ProgramCache();

  constructor(runtime: Runtime, average: Average, wanted: readonly DrawsWanted[]) {
    this.#runtime = runtime;
    this.#average = average;
    this.#wanted = wanted;
  }

  /** logits [T, K, h, w] of an image that was padded to four times h and w. */
  async predict(logits: HostTensor, { width, height }: { width: number; height: number }): Promise<Prediction[]> {
    const { shape } = logits;
    const key = [...shape, height, width].join("x");
    const found = await this.#programs.run(
      key,
      () => this.#compile(shape, [height, width]),
      () => ({ logits }),
    );
    return this.#wanted.map(({ draws, measure }) => ({
      predicted: asBytes(found[`predicted.${draws}`]!),
      uncertainty: floats(found[`${measure}.${draws}`], measure),
    }));
  }

  close(): Promise<void> {
    return this.#programs.close();
  }

  #compile(shape: Shape, [height, width]: readonly [number, number]): Promise<Program> {
    const logits = input("logits", { dtype: "float32", shape });
    // Only its height and width are looked at.
    const images = input("images", { dtype: "float32", shape: [1, 1, height, width] });
    const outputs: Record<string, Value> = {};
    for (const draws of new Set(this.#wanted.map((one) => one.draws))) {
      const found = disagreement(slice(logits, 0, 0, draws), this.#average);
      outputs[`predicted.${draws}`] = cropMap(found.predicted, images);
      outputs[`pe.${draws}`] = cropMap(found.predictiveEntropy, images);
      outputs[`mi.${draws}`] = cropMap(found.mutualInformation, images);
    }
    return compile(this.#runtime, { outputs });
  }
}

/** Several tensors [1, K, h, w] as one, [T, K, h, w]. */
export function stacked(parts: readonly HostTensor[]): HostTensor {
  const [, ...rest] = parts[0]!.shape;
  const length = parts[0]!.data.length;
  const all = new Float32Array(parts.length * length);
  for (const [i, part] of parts.entries()) all.set(floats(part, "logits"), i * length);
  return float32([parts.length, ...rest], all);
}
