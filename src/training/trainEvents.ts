import type { Validations } from "./validate.js";

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
