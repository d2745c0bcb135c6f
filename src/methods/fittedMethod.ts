import type { Value } from "../engine/graph/value.js";
import type { HostTensor, Tensors } from "../engine/tensor/hostTensor.js";
import type { Candidate, NetworkOutputs } from "./scorer.js";

/** What a network says about labelled images, and what is true. */
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

/** What a method learned from labelled images. */
export interface Fitted {
  readonly tensors: Tensors;
  /** What a person should know about it: classes with too few pixels, a matrix that had to be helped. */
  readonly remarks: readonly string[];
}

/** A method learning from labelled images. Its passes share the forward passes of the network with those of other methods. */
export interface Fitting {
  /** The next pass, or null after the last one. Asked again after each pass. */
  next(): FitPass | null;
  finish(): Fitted;
}

/** What a method may know about the network before it sees images. */
export interface FitSetting {
  /** Names of the classes, for messages. */
  readonly classes: readonly string[];
  /** F */
  readonly features: number;
  /** f_ψ: weight [K, F, 1, 1], bias [K] */
  readonly head: { readonly weight: HostTensor; readonly bias: HostTensor };
}

/** A one-pass method that must see labelled images first. What it learned are tensors: they can be saved, and scored with later. */
export interface FittedMethod {
  readonly name: string;
  fit(setting: FitSetting): Fitting;
  /** Ways to score with what was learned. */
  candidates(learned: Tensors): readonly Candidate[];
}

/** A fitting of so many passes; each is made when those before it are over. */
export function inTurn(passes: readonly (() => FitPass)[], finish: () => Fitted): Fitting {
  let taken = 0;
  return { next: () => passes[taken++]?.() ?? null, finish };
}
