import type { RgbImage } from "../../../data/images/tensors.js";
import type { ClassList } from "../../../data/labels/labelSpace.js";
import type { PackedError } from "../../../platform/errors.js";
import type { SiteTraining } from "../../manifest.js";
import type { Progress, Start } from "../engine/protocol.js";
import type { Snapshot } from "./currentModel.js";

/** The first message to the worker. */
export interface TrainingStart extends Start {
  readonly training: SiteTraining;
  /** Whether WebGPU is refused where WebAssembly is faster. */
  readonly fastest: boolean;
}

/** Later messages: commands of the visitor. */
export type Wish = "run" | "pause" | "restart";

export interface Step {
  readonly step: number;
  readonly steps: number;
  /** Losses, γ and shares, by the names of `log.jsonl`. */
  readonly measures: Readonly<Record<string, number>>;
  readonly milliseconds: number;
}

/** A snapshot, with maps of the images that are shown only. */
export interface Measured extends Snapshot {
  readonly step: number;
}

/** Images that are shown, among so many that are measured on, and the classes their maps have. */
export interface Shown {
  readonly measuredOn: number;
  readonly images: readonly RgbImage[];
  readonly classes: ClassList["classes"];
}

/** What the worker tells. */
export type News =
  | { readonly kind: "loading"; readonly progress: Progress }
  /** What it does that takes a while, e.g. "preparing the step". */
  | { readonly kind: "busy"; readonly what: string }
  /** Once: what is shown, and the graphics processor that computes. */
  | { readonly kind: "opened"; readonly shown: Shown; readonly adapter: string | null }
  /** A training begins, the first or another: nothing is learned yet. */
  | { readonly kind: "begun"; readonly steps: number }
  /** The first step may come. */
  | { readonly kind: "ready" }
  | { readonly kind: "step"; readonly step: Step }
  | { readonly kind: "measured"; readonly measured: Measured }
  | { readonly kind: "paused" }
  | { readonly kind: "finished" }
  /** WebGPU may not be used, or is gone. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed"; readonly error: PackedError };
