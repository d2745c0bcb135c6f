import { input, type Value } from "../../engine/graph/value.js";
import { movedStatistics, type NormStatistics } from "../../engine/ops/batchNorm.js";
import { concat } from "../../engine/ops/shaping.js";
import type { Shape } from "../../engine/tensor/shape.js";
import type { Param } from "./scope.js";

/** Share of the old running mean and variance kept at each batch: PyTorch's default (its "momentum" of 0.1). */
const KEEP = 0.9;

/** How one pass through the network behaves. Nothing about it is global. */
export interface Pass {
  /** Weights are learned from this pass, or it is worth using what is fastest for that: see `fastInferencePass`. */
  readonly learning: boolean;
  /**
   * The size of the images is known, and resizing written for it; or the program must hold for images of any size (no gradients
   * then).
   */
  readonly sizes: "known" | "open";
  /** Normalise by this batch, or by the running statistics. */
  readonly batchNorm: "batch" | "running";
  /** Every dropout layer, only those that drop whole channels (as MC dropout needs at test time), or none. */
  readonly dropout: "on" | "channels" | "off";
  /** Uniform noise in [0, 1), given from outside: no op draws on hidden state. */
  noise(shape: Shape): Value;
  /**
   * Features [N, …] once for each draw that the pass stands for, [draws · N, …]; as they are once that has been done. Called
   * where draws part: before that, all of them share one computation.
   */
  spread(features: Value): Value;
  /** Running statistics move on after a batch. */
  record(running: { readonly mean: Param; readonly variance: Param }, batch: NormStatistics, pixels: number): void;
  /**
   * State that each step moves on once, before it is used, such as the vectors of a power iteration. However many passes a step
   * has, they all see the same moved values; at rest everybody sees what was kept.
   */
  advance(state: readonly Param[], move: (now: readonly Value[]) => readonly Value[]): readonly Value[];
}

/** A pass at rest: for prediction, export and frozen teachers. */
export const inferencePass: Pass = {
  learning: false,
  sizes: "known",
  batchNorm: "running",
  dropout: "off",
  noise() {
    throw new Error("internal: a pass at rest asked for noise");
  },
  spread: (features) => features,
  record() {},
  advance: (state) => state.map(({ value }) => value),
};

/**
 * A pass at rest with the convolutions that training uses: from 128 channels on they are the faster ones here, too, by a third for
 * the whole network. Not for export: as constants, their filters take four times the room.
 */
export const fastInferencePass: Pass = { ...inferencePass, learning: true };

/** A pass at rest in a program that is to take images of any size: for export. */
export const dynamicShapePass: Pass = { ...inferencePass, sizes: "open" };

export interface PassOptions {
  /** `running` normalises by the running statistics and leaves them alone: a frozen batch norm. */
  readonly batchNorm?: "batch" | "running";
  readonly dropout?: Pass["dropout"];
  /** Normalise by the batch, but leave the running statistics alone. */
  readonly keepStatistics?: boolean;
}

export interface DrawOptions {
  readonly draws?: number;
  /** In the batch. */
  readonly images?: number;
}

/** The passes of one program. Running statistics move through those that learn in the order they were made. */
export class PassRecorder {
  /** Every noise input asked for so far. */
  readonly noises: Value[] = [];
  readonly #latest = new Map<Param, Value>();

  /** A pass that learns from its batch. */
  pass({ batchNorm = "batch", dropout = "on", keepStatistics = false }: PassOptions = {}): Pass {
    return {
      learning: true,
      sizes: "known",
      batchNorm,
      dropout,
      noise: (shape) => this.#noise(shape),
      spread: (features) => features,
      record: ({ mean, variance }, batch, pixels) => {
        if (keepStatistics) return;
        const old = { mean: this.#read(mean), variance: this.#read(variance) };
        const moved = movedStatistics(old, batch, pixels, KEEP);
        this.#latest.set(mean, moved.mean);
        this.#latest.set(variance, moved.variance);
      },
      advance: (state, move) => {
        if (!state.every((param) => this.#latest.has(param))) {
          const moved = move(state.map((param) => param.value));
          state.forEach((param, i) => void this.#latest.set(param, moved[i]!));
        }
        return state.map((param) => this.#read(param));
      },
    };
  }

  /** A pass at rest but for dropout in the encoder: one draw of MC dropout, or several at once for `images` images. */
  draw({ draws = 1, images = 1 }: DrawOptions = {}): Pass {
    return {
      ...inferencePass,
      dropout: "channels",
      noise: (shape) => this.#noise(shape),
      spread: (features) =>
        draws === 1 || features.shape[0] !== images ? features : concat(new Array<Value>(draws).fill(features), 0),
    };
  }

  /** What each running statistic becomes at the end of the step. */
  get updates(): ReadonlyMap<Param, Value> {
    return this.#latest;
  }

  #noise(shape: Shape): Value {
    const noise = input(`noise.${this.noises.length}`, { dtype: "float32", shape });
    this.noises.push(noise);
    return noise;
  }

  #read(param: Param): Value {
    return this.#latest.get(param) ?? param.value;
  }
}
