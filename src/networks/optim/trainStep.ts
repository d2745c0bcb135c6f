import { gradients } from "../../engine/autodiff/gradients.js";
import type { Graph } from "../../engine/graph/graph.js";
import { within } from "../../engine/graph/path.js";
import { input, type Value } from "../../engine/graph/value.js";
import { add, div, maximum, minimum, mul, number, sqrt, square } from "../../engine/ops/elementwise.js";
import { sum } from "../../engine/ops/reduce.js";
import { float32, type HostTensor, zeros } from "../../engine/tensor/hostTensor.js";
import type { Param } from "../layers/scope.js";
import type { GroupOptions, Optimiser } from "./optimiser.js";

export interface TrainStepOptions {
  readonly loss: Value;
  /** Every parameter of the network, learned or gathered. */
  readonly params: readonly Param[];
  readonly optimiser: Optimiser;
  /** New values of what is gathered, e.g. running means. */
  readonly gathered?: ReadonlyMap<Param, Value>;
  /**
   * How a parameter is treated; no decay and the plain learning rate when left out. With a factor of 0 it is frozen: it has no
   * gradient.
   */
  readonly group?: (param: Param) => GroupOptions;
  /** Gradients are scaled down together when their joint length is above this. */
  readonly clipNorm?: number;
  /** Further numbers to report, by name. */
  readonly measures?: Readonly<Record<string, Value>>;
}

/** A tensor that one step hands to the next: an input of the graph, and the output that replaces it; null where it stays as it is. */
export interface Carried {
  readonly output: string | null;
  readonly start: (seed: number) => HostTensor;
  /** What the optimiser remembers, rather than the network: of no use to another step. */
  readonly memory: boolean;
}

/**
 * A training step: one graph, from a batch and the old state to the new state and some measurements. Two of these are always
 * there: `loss`, and `gradientNorm`, the joint length of all gradients, finite only if every one of them is.
 */
export interface TrainStep {
  readonly graph: Graph;
  /** What is carried from step to step, by input name. */
  readonly state: ReadonlyMap<string, Carried>;
}

const PLAIN: GroupOptions = { weightDecay: 0, learningRateFactor: 1 };

export function trainStep(options: TrainStepOptions): TrainStep {
  const {
    loss,
    params,
    optimiser,
    gathered = new Map<Param, Value>(),
    group = () => PLAIN,
    clipNorm,
    measures = {},
  } = options;
  const moves = (param: Param): boolean => param.trained && group(param).learningRateFactor !== 0;
  const trained = params.filter(moves);
  const raw = gradients(
    loss,
    trained.map((param) => param.value),
  );
  const { norm, clipped } = within("clip", () => clip(raw, clipNorm));
  const outputs: Record<string, Value> = {};
  const state = new Map<string, Carried>();
  const carry = (name: string, next: Value, start: Carried["start"], memory = false): void => {
    outputs[`next.${name}`] = next;
    state.set(name, { output: `next.${name}`, start, memory });
  };
  const keep = (param: Param): void => {
    state.set(param.path, { output: null, start: startOf(param), memory: false });
  };

  within("update", () => {
    const update = optimiser({
      learningRate: input("learningRate", { dtype: "float32", shape: [] }),
      step: input("step", { dtype: "float32", shape: [] }),
    });
    trained.forEach((param, i) => {
      const { next, memories } = within(param.path, () => update(param, clipped[i]!, group(param)));
      carry(param.path, next, startOf(param));
      for (const [kind, memory] of Object.entries(memories)) {
        carry(`${kind}.${param.path}`, memory.next, () => zeros(memory.value.type), true);
      }
    });
  });
  for (const [param, next] of gathered) {
    if (next === param.value) keep(param);
    else carry(param.path, next, startOf(param));
  }
  for (const param of params.filter((one) => one.trained && !moves(one))) keep(param);
  // Measurements come last: the runtime starts from the last output, and so is done with the scores before the way back.
  return { graph: { outputs: { ...outputs, gradientNorm: norm, ...measures, loss } }, state };
}

/** First value of a parameter: a pure function of the seed and its path. */
export const startOf =
  (param: Param): Carried["start"] =>
  (seed) =>
    float32(param.shape, param.init(param.shape, [seed, param.path]));

function clip(grads: readonly Value[], limit: number | undefined): { norm: Value; clipped: readonly Value[] } {
  const norm = sqrt(grads.map((grad) => sum(square(grad))).reduce((total, one) => add(total, one)));
  if (limit === undefined) return { norm, clipped: grads };
  const factor = minimum(number(1), div(number(limit), maximum(norm, number(1e-12))));
  return { norm, clipped: grads.map((grad) => mul(grad, factor)) };
}
