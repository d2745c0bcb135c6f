import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { type JobRunner, type SubmittedJob, WorkerPool } from "../../platform/workerPool.js";
import type { BatchPlan } from "./batchPlan.js";
import { type CacheMemory, ImageCache } from "./imageCache.js";
import { makeBatch } from "./makeBatch.js";

interface Start {
  readonly plan: BatchPlan;
  readonly memory: CacheMemory;
}

/** A batch that is being made, or is made and waits to be fetched. */
interface BatchJob {
  readonly job: SubmittedJob<Tensors>;
  /** Callers that await it. */
  awaited: number;
}

/**
 * Batches that threads make ahead of time.
 *
 * The caller's thread is blocked most of the time and receives messages only between its steps, so threads are told early what
 * to make next: a request for a step also submits the `ahead` steps after it. No more is ever in the making, so a slow caller
 * does not fill the memory. A step outside of that window starts a new window.
 */
export class BatchesAhead {
  readonly #pool: WorkerPool<Start, number, Tensors>;
  readonly #ahead: number;
  readonly #jobs = new Map<number, BatchJob>();

  /** With 0 workers, each batch is made when it is asked for, on the caller's thread. */
  constructor(start: Start, { workers, ahead }: { readonly workers: number; readonly ahead: number }) {
    this.#pool = new WorkerPool({ module: import.meta.url, openRunner }, start, workers);
    this.#ahead = workers === 0 ? 0 : ahead;
  }

  async batch(step: number): Promise<Tensors> {
    this.#cancelOutside(step, step + this.#ahead);
    const wanted = this.#submit(step);
    wanted.awaited++;
    for (let next = step + 1; next <= step + this.#ahead; next++) this.#submit(next);
    try {
      return await wanted.job.result();
    } finally {
      // Its memory is the caller's now, or it failed and is worth another try: the next request makes it again.
      if (--wanted.awaited === 0 && this.#jobs.get(step) === wanted) this.#jobs.delete(step);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #submit(step: number): BatchJob {
    const known = this.#jobs.get(step) ?? { job: this.#pool.submit(step), awaited: 0 };
    this.#jobs.set(step, known);
    return known;
  }

  #cancelOutside(first: number, last: number): void {
    for (const [step, { job, awaited }] of this.#jobs) {
      if ((step >= first && step <= last) || awaited > 0) continue;
      this.#jobs.delete(step);
      job.cancel();
    }
  }
}

/** Called by `platform/jobThread.ts`. @public */
export function openRunner({ plan, memory }: Start): JobRunner<number, Tensors> {
  const cache = new ImageCache(memory);
  return {
    run: (step) => makeBatch(plan, step, cache),
    transfer: (batch) => Object.values(batch).map(({ data }) => data.buffer as ArrayBuffer),
  };
}
