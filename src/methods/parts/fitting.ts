import type { Value } from "../../engine/graph/value.js";
import type { HostTensor, Tensors } from "../../engine/tensor/hostTensor.js";
import type { NetworkOutputs } from "./networkOutputs.js";

/** Outputs of a network for labelled images, with the labels. */
export interface LabelledOutputs extends NetworkOutputs {
  /** int64 [N, H, W], with VOID_LABEL where nothing is known. */
  readonly labels: Value;
  /** The same at the size of the features: int64 [N, h, w] */
  readonly cells: Value;
}

/** One pass over the labelled images, in order. */
export interface FitPass {
  /** Small sums over one image, by name: computed in the graph. */
  measure(outputs: LabelledOutputs): Readonly<Record<string, Value>>;
  /** Adds them up, in double precision and in memory that does not grow with the number of images. */
  add(measured: Tensors): void;
}

/** Statistics of a method, from labelled images. */
export interface Fitted {
  readonly tensors: Tensors;
  /** What a person should know about them: classes with too few pixels, a matrix that had to be regularised. */
  readonly remarks: readonly string[];
}

/** A method being fitted. Its passes share the forward passes of the network with those of other methods. */
export interface Fitting {
  /** The next pass, or null after the last one. Asked again after each pass. */
  next(): FitPass | null;
  finish(): Fitted;
}

/** What a method knows about the network and the run before it sees images. */
export interface FitContext {
  /** Names of the classes, for messages. */
  readonly classes: readonly string[];
  /** F */
  readonly features: number;
  /** f_ψ: weight [K, F, 1, 1], bias [K] */
  readonly head: { readonly weight: HostTensor; readonly bias: HostTensor };
  /** Of the network's training: for methods that draw samples. */
  readonly seed: number;
}

/** A fitting of so many passes; each is made when those before it are over. */
export function inTurn(passes: readonly (() => FitPass)[], finish: () => Fitted): Fitting {
  let taken = 0;
  return { next: () => passes[taken++]?.() ?? null, finish };
}

/** Classes that no pixel of the source has: nothing can be near them. */
export function unseenRemark(classes: readonly string[], seen: readonly number[]): string[] {
  const missing = classes.filter((_, k) => !seen.includes(k));
  return missing.length === 0 ? [] : [`no pixel of ${missing.join(", ")} in the source: left out`];
}

/** A covariance that could not be inverted as it was. */
export const describeJitter = (what: string, jitter: number): string =>
  `${what} was singular: ${jitter.toExponential(0)} of the mean variance added to every variance`;
