import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { invariant, UserError } from "../../platform/errors.js";
import { BatchesAhead } from "./batchesAhead.js";
import type { BatchPlan, Stream } from "./batchPlan.js";
import { cacheMemory } from "./imageCache.js";

/** Memory for decoded images, shared by all threads. It is taken as images come in. */
const CACHE_BYTES = 2 ** 30;

export interface LoaderOptions {
  /** Threads that make batches ahead of time; 0 makes each when it is asked for, on the caller's thread. */
  readonly workers: number;
  /** Batches in the making, or made and waiting, besides the one asked for. Two for each worker unless told. */
  readonly ahead?: number;
}

export interface Loader {
  /** The batch of a step. Steps asked for one after the other come quickest; any other step is as correct. */
  batch(step: number): Promise<Tensors>;
  /** Time the caller has spent waiting for batches, the first one left out: it includes starting the threads. */
  readonly waitedMs: number;
  /** End the threads. Batches not delivered by then never will be. */
  close(): Promise<void>;
}

/** Start making the batches of a plan. Whatever the options, the bytes are the same. */
export function openLoader(plan: BatchPlan, { workers, ahead = 2 * workers }: LoaderOptions): Loader {
  for (const [name, value] of Object.entries({ workers, ahead })) {
    if (!isWhole(value)) {
      throw new UserError(`loader: ${name} is ${value}`, { hint: "give a whole number, 0 or more" });
    }
  }
  plan.streams.forEach(requireImages);
  const batches = new BatchesAhead({ plan, memory: cacheMemory(plan, CACHE_BYTES) }, { workers, ahead });
  let started = false;
  let waitedMs = 0;
  let closed = false;
  return {
    async batch(step) {
      invariant(isWhole(step), `there is no batch ${step}`);
      invariant(!closed, `batch ${step} asked of a loader that is closed`);
      const asked = performance.now();
      const batch = await batches.batch(step);
      if (started) waitedMs += performance.now() - asked;
      started = true;
      return batch;
    },
    get waitedMs() {
      return waitedMs;
    },
    async close() {
      closed = true;
      await batches.close();
    },
  };
}

const isWhole = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** Settings are checked where they are read; here, that the data can be learned from, before any thread is started. */
function requireImages({ kind, name, dataset: { spec, items, labelling } }: Stream): void {
  if (items.length === 0) {
    throw new UserError(`batch: stream "${name}" has no images: ${spec} is empty`, { hint: "choose another data set" });
  }
  const unlabelled = labelling === null ? items[0] : items.find(({ labels }) => labels === null);
  if (kind === "labelled" && unlabelled !== undefined) {
    throw new UserError(`batch: stream "${name}" learns from labels, but "${unlabelled.id}" of ${spec} has none`, {
      hint: "choose a labelled data set",
    });
  }
}
