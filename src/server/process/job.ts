import type { PackedError } from "../../platform/errors.js";

/** What `/v1/segment` can answer with. */
export const outputs = ["summary", "classes", "uncertainty", "certain", "overlay"] as const;
export type Output = (typeof outputs)[number];

/** What a process is asked to do with the body of a request. */
export type Job =
  | {
      readonly kind: "segment";
      readonly body: Uint8Array;
      /** Content-Type of the body where it is a form that holds the image. */
      readonly form: string | undefined;
      readonly output: Output;
      /** Of images for people; maps are always PNG. */
      readonly type: "image/png" | "image/jpeg";
      /** In place of the model's. */
      readonly gamma: number | undefined;
    }
  | {
      readonly kind: "infer";
      readonly body: Uint8Array;
      /** Bytes of JSON at the start of the body, where tensors follow it; undefined where all of it is JSON. */
      readonly jsonBytes: number | undefined;
    };

/** The answer to a request, ready to be sent. */
export interface Answer {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Share of pixels that are certain; null for a baseline. */
  readonly certainShare: number | null;
}

/** A model as processes are given it: bytes, so that a process started later does not read another file. */
export interface ModelBytes {
  readonly name: string;
  /** For messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** How a process computes. */
export interface ProcessSettings {
  readonly threads: number;
  /** Images of more pixels are refused from their header. */
  readonly mostPixels: number;
}

export type ToProcess =
  | { readonly kind: "load"; readonly model: ModelBytes; readonly settings: ProcessSettings }
  | { readonly kind: "job"; readonly job: Job };

export type FromProcess =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly answer: Answer }
  /** Of loading, or of a job. */
  | { readonly kind: "failed"; readonly error: PackedError };
