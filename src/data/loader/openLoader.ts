import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { invariant, UserError } from "../../platform/errors.js";
import { BatchesAhead } from "./batchesAhead.js";
import type { BatchPlan } from "./batchPlan.js";
import { checkPlan } from "./checkPlan.js";
import { cacheMemory } from "./imageCache.js";

export interface LoaderOptions {
  /** Threads that make batches ahead of time; 0 makes each when it is asked for, on the caller's thread. */
  readonly workers: number;
  /** Memory for decoded images, shared by all threads. It is taken as images come in. 1 GiB unless told. */
  readonly cacheBytes?: number;
  /** Batches in the making, or made and waiting, besides the one asked for. Two for each worker unless told. */
  readonly ahead?: number;
}

export interface Loader {
  /** The batch of a step. Steps asked for one after the other come quickest; any other step is as correct. */
  batch(step: number): Promise<Tensors>;
  /** Time the caller has spent waiting for batches, the first one left out: it includes starting the threads. */
  readonly waitedMs: number;
  /** Share of the time since the first batch that was spent waiting, 0 to 1. */
  readonly waitedShare: number;
  /** End the threads. Batches not delivered by then never will be. */
  close(): Promise<void>;
}

/** Start making the batches of a plan. Whatever the options, the bytes are the same. */
export function openLoader(plan: BatchPlan, options: LoaderOptions): Loader {
  const { workers, cacheBytes = 2 ** 30, ahead = 2 * workers } = options;
  for (const [name, value] of Object.entries({ workers, cacheBytes, ahead })) {
    if (!isWhole(value)) {
      throw new UserError(`loader: ${name} is ${value}`, { hint: "give a whole number, 0 or more" });
    }
  }
  checkPlan(plan);
  const batches = new BatchesAhead({ plan, memory: cacheMemory(plan, cacheBytes) }, { workers, ahead });
  let firstAt: number | undefined;
  let lastAt = 0;
  let waitedMs = 0;
  let closed = false;
  return {
    async batch(step) {
      invariant(isWhole(step), `there is no batch ${step}`);
      invariant(!closed, `batch ${step} asked of a loader that is closed`);
      const asked = performance.now();
      const batch = await batches.batch(step);
      lastAt = performance.now();
      if (firstAt === undefined) firstAt = lastAt;
      else waitedMs += lastAt - asked;
      return batch;
    },
    get waitedMs() {
      return waitedMs;
    },
    get waitedShare() {
      return firstAt === undefined || lastAt === firstAt ? 0 : waitedMs / (lastAt - firstAt);
    },
    async close() {
      closed = true;
      await batches.close();
    },
  };
}

const isWhole = (value: number): boolean => Number.isInteger(value) && value >= 0;
