import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { UserError } from "../../platform/errors.js";
import type { BatchPlan } from "./batchPlan.js";
import type { CacheMemory } from "./imageCache.js";

/** What a worker is started with. */
export interface WorkerStart {
  readonly plan: BatchPlan;
  readonly memory: CacheMemory;
}

export type Request =
  | { readonly kind: "make"; readonly step: number }
  /** No longer wanted; if it is being made already, it is made and ignored. */
  | { readonly kind: "forget"; readonly step: number }
  /** Finish what is being made, then end. */
  | { readonly kind: "close" };

export type Reply = { readonly step: number } & ({ readonly batch: Tensors } | { readonly problem: Problem });

/** An error as it travels between threads: classes do not survive the recorder. */
export interface Problem {
  /** For the reader to fix, or our own mistake. */
  readonly kind: "user" | "internal";
  readonly message: string;
  readonly hint?: string;
  readonly stack?: string;
}

export function packError(error: unknown): Problem {
  if (error instanceof UserError) {
    return { kind: "user", message: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: "internal", message, ...(stack !== undefined && { stack }) };
}

export function unpackError({ kind, message, hint, stack }: Problem): Error {
  if (kind === "user") return new UserError(message, hint === undefined ? {} : { hint });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
