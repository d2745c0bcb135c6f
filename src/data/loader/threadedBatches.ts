import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { type Reply, unpackError, type WorkerStart } from "./messages.js";
import { Thread } from "./thread.js";

export interface BatchSource {
  batch(step: number): Promise<Tensors>;
  close(): Promise<void>;
}

/** A batch in the making, or made and waiting to be fetched. */
interface Job {
  readonly thread: Thread;
  readonly batch: Promise<Tensors>;
  readonly settle: { resolve(batch: Tensors): void; reject(error: Error): void };
  askedBy: number;
}

/**
 * Batches made by threads ahead of time.
 *
 * The caller's thread is blocked most of the time and hears messages only between its steps, so each thread is told early
 * what to make next: asking for a step also orders the `ahead` steps after it. No more is ever in the making, so a slow
 * caller does not fill the memory. A step outside of that window starts a new window.
 */
export function threadedBatches(
  start: WorkerStart,
  { workers, ahead }: { readonly workers: number; readonly ahead: number },
): BatchSource {
  const jobs = new Map<number, Job>();
  const threads = Array.from({ length: workers }, () => new Thread(start, { onReply, onEnd }));

  function onReply(reply: Reply): void {
    const job = jobs.get(reply.step);
    if (job === undefined) return; // forgotten too late not to be made
    if ("batch" in reply) job.settle.resolve(reply.batch);
    else job.settle.reject(unpackError(reply.problem));
  }

  let broken: Error | undefined;
  function onEnd(error: Error): void {
    broken = error;
    for (const { settle } of jobs.values()) settle.reject(error);
  }

  function order(step: number): Job {
    const known = jobs.get(step);
    if (known !== undefined) return known;
    const thread = threads.reduce((a, b) => (b.backlog < a.backlog ? b : a));
    const job = newJob(thread);
    jobs.set(step, job);
    if (broken === undefined) thread.make(step);
    else job.settle.reject(broken);
    return job;
  }

  function forgetAllBut(first: number, last: number): void {
    for (const [step, { thread, askedBy }] of jobs) {
      if ((step >= first && step <= last) || askedBy > 0) continue;
      jobs.delete(step);
      thread.forget(step);
    }
  }

  return {
    async batch(step) {
      forgetAllBut(step, step + ahead);
      const job = order(step);
      job.askedBy++;
      for (let next = step + 1; next <= step + ahead; next++) order(next);
      try {
        return await job.thread.keepAwakeFor(job.batch);
      } finally {
        // Handed over, or failed and worth another try: either way the next to ask gets it made anew.
        if (--job.askedBy === 0 && jobs.get(step) === job) jobs.delete(step);
      }
    },
    async close() {
      for (const [step, { settle }] of jobs)
        settle.reject(new Error(`the loader was closed before batch ${step} was made`));
      jobs.clear();
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

function newJob(thread: Thread): Job {
  let settle: Job["settle"] | undefined;
  const batch = new Promise<Tensors>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // A batch nobody has asked for yet may fail; that is reported when it is asked for.
  batch.catch(() => {});
  return { thread, batch, settle: settle!, askedBy: 0 };
}
