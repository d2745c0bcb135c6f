import type { Dataset } from "../data/datasets/dataset.js";
import type { TrainConfig } from "../runs/config.js";
import type { TrainingData } from "./stage.js";
import type { Validations } from "./validate.js";

/** Settings that change how a run goes about its work, not what comes out. */
export interface Pace {
  readonly threads: number;
  /** Where to compute, tried beforehand; "cpu" when left out. It rounds in its own way. */
  readonly device?: string | undefined;
  /** Threads that prepare batches. */
  readonly workers: number;
  readonly checkpointEvery: number;
  readonly validateEvery: number;
}

/** Everything a training process needs to know: plain data. */
export interface TrainJob {
  readonly folder: string;
  readonly config: TrainConfig;
  /** Hash of the config and of the data it was resolved with. */
  readonly run: string;
  readonly data: TrainingData;
  readonly validation: Dataset | null;
  readonly pace: Pace;
}

export interface TrainHooks {
  readonly emit: (event: TrainEvent) => void;
  /** Looked at between steps. */
  readonly stopRequested: () => boolean;
}

/** What is known of a stage before it begins. */
export interface StageOutline {
  readonly name: string;
  readonly steps: number;
  /** In each of its batches: how much longer a step of one stage takes than one of another is guessed from it. */
  readonly images: number;
}

/** Events of a training, in order. Plain data: it crosses a process boundary. */
export type TrainEvent =
  /** `details` are for those who ask. */
  | { readonly kind: "note"; readonly message: string; readonly details?: readonly string[] }
  /** About to take the step after `done`. */
  | {
      readonly kind: "started";
      readonly done: number;
      readonly steps: number;
      readonly stages: readonly StageOutline[];
    }
  /** Something that takes a while and is no step. */
  | { readonly kind: "busy"; readonly what: string }
  | {
      readonly kind: "step";
      readonly step: number;
      readonly measures: Readonly<Record<string, number>>;
      /** Images that went into it. */
      readonly images: number;
      /** Since the training process started; and how many of these went by waiting for data. */
      readonly seconds: number;
      readonly waited: number;
    }
  /** Nothing up to this step can be lost any more. */
  | { readonly kind: "saved"; readonly step: number }
  | { readonly kind: "validated"; readonly step: number; readonly validations: Validations }
  | { readonly kind: "finished"; readonly step: number; readonly weights: string }
  /** Asked to stop: saved, and left. */
  | { readonly kind: "stopped"; readonly step: number }
  | { readonly kind: "failed"; readonly message: string; readonly hint: string | undefined };
