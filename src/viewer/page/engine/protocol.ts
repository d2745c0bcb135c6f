import type { PackedError } from "../../../platform/errors.js";
import type { RuntimeKind, SiteFile, SiteModel } from "../../manifest.js";

/** What a model says of an image, at the size the network saw. Larger scores are more certain. */
export interface Maps {
  readonly width: number;
  readonly height: number;
  readonly classes: Uint8Array;
  readonly score: Float32Array;
  /** How far the image is from those of the training, 1 at the limit; null for a baseline. */
  readonly distance: number | null;
  readonly milliseconds: number;
}

/** Calls that the worker answers. */
export interface Calls {
  /** Load a model; progress is in bytes. Answers with what computes. */
  open(model: SiteModel): Opened;
  segment(model: string, image: ImageBitmap): Maps;
  /** The model's answer for a small made-up image, to compare runtimes by. */
  tile(model: string): Maps;
}

export interface Opened {
  readonly threads: number;
  /** The graphics processor, as far as the browser tells. */
  readonly adapter: string | null;
}

export type Call = {
  [Name in keyof Calls]: { readonly id: number; readonly call: Name; readonly given: Parameters<Calls[Name]> };
}[keyof Calls];

/** The first message to a worker. */
export interface Start {
  readonly kind: RuntimeKind;
  /** Address of the folder that the page lies in. */
  readonly base: string;
  readonly threads: number;
  readonly runtime: SiteFile;
}

/** Bytes of a model, and of the runtime where it is loaded with it. */
export interface Progress {
  readonly received: number;
  readonly total: number;
}

export type Answer =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly answer: Maps | Opened }
  | { readonly id: number; readonly error: PackedError }
  | { readonly lost: string };
