import { once } from "node:events";
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { type PackedError, unpackError } from "./errors.js";

/** Runs jobs one after the other, on a thread of a pool or on the caller's. */
export interface JobRunner<Job, Result> {
  run(job: Job): Result | Promise<Result>;
  /** Memory of a result that moves to the caller instead of being copied. */
  transfer?(result: Result): ArrayBuffer[];
  close?(): Promise<void>;
}

/** One kind of job. Threads cannot be sent a function: they import `module` and call the `openRunner` it exports. */
export interface JobKind<Start, Job, Result> {
  /** The `import.meta.url` of the module that exports `openRunner`. */
  readonly module: string;
  openRunner(start: Start): JobRunner<Job, Result>;
}

/** A job that was given to a pool. */
export interface SubmittedJob<Result> {
  /** The process stays alive while a result is awaited, and for no other job. */
  result(): Promise<Result>;
  /** Its result is not wanted any more and will not come. A job that runs already is finished and its result dropped. */
  cancel(): void;
}

/** Messages to a thread, and from it. */
export type Request<Job> =
  | { readonly kind: "run"; readonly number: number; readonly job: Job }
  | { readonly kind: "cancel"; readonly number: number }
  /** Finish the job that runs, drop the others, end. */
  | { readonly kind: "close" };
export type Reply<Result> = { readonly number: number } & (
  | { readonly result: Result }
  | { readonly error: PackedError }
);

const script = new URL("./jobThread.js", import.meta.url);

/**
 * Threads for one kind of job, started as jobs need them. With 0 threads, jobs run on the caller's; so they do where the sources run
 * as TypeScript, which no thread can start from. Jobs, results and `start` are copied between threads, shared memory is not.
 */
export class WorkerPool<Start, Job, Result> {
  readonly #most: number;
  readonly #ahead: number;
  readonly #open: () => Lane<Job, Result>;
  readonly #lanes: Lane<Job, Result>[] = [];

  constructor(kind: JobKind<Start, Job, Result>, start: Start, threads: number) {
    const here = threads === 0 || !existsSync(script);
    this.#most = here ? 1 : threads;
    this.#ahead = here ? 1 : 2 * threads;
    this.#open = () => (here ? new CallersThread(kind.openRunner(start)) : new Thread({ module: kind.module, start }));
  }

  /** Run a job on the thread with the fewest waiting ones. */
  submit(job: Job): SubmittedJob<Result> {
    let lane = this.#lanes.reduce<Lane<Job, Result> | undefined>(
      (least, one) => (least !== undefined && least.backlog <= one.backlog ? least : one),
      undefined,
    );
    if (lane === undefined || (lane.backlog > 0 && this.#lanes.length < this.#most)) {
      lane = this.#open();
      this.#lanes.push(lane);
    }
    return lane.submit(job);
  }

  /** Results in the order of the jobs; the first error likewise. A thread has at most two jobs: memory does not grow with their number. */
  async *results(jobs: Iterable<Job> | AsyncIterable<Job>): AsyncGenerator<Result> {
    const submitted: SubmittedJob<Result>[] = [];
    for await (const job of jobs) {
      if (submitted.length === this.#ahead) yield await submitted.shift()!.result();
      submitted.push(this.submit(job));
    }
    for (const job of submitted) yield await job.result();
  }

  /** Threads finish the job they are at, then end. Jobs that wait are not run; who awaits their results gets an error. */
  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

/** Where jobs run one after the other. */
interface Lane<Job, Result> {
  /** Jobs submitted and not done. */
  readonly backlog: number;
  submit(job: Job): SubmittedJob<Result>;
  close(): Promise<void>;
}

class CallersThread<Job, Result> implements Lane<Job, Result> {
  readonly backlog = 0;
  readonly #runner: JobRunner<Job, Result>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(runner: JobRunner<Job, Result>) {
    this.#runner = runner;
  }

  submit(job: Job): SubmittedJob<Result> {
    const result = this.#last.then(() => this.#runner.run(job));
    this.#last = result.catch(() => {});
    return { result: () => result, cancel: () => {} };
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#runner.close?.();
  }
}

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** A worker thread, seen from outside. */
class Thread<Job, Result> implements Lane<Job, Result> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting<Result>>();
  #submitted = 0;
  #awaited = 0;
  #ended: Error | undefined;

  constructor(workerData: unknown) {
    // A thread that ends by itself waits for V8's background work; code being optimised there may in turn wait for a garbage
    // collection by the thread, and neither goes on (nodejs/node#54918, seen in Node 20.20). Isolates made without a background
    // compiler optimise where they run; the main thread has its own already and keeps it.
    setFlagsFromString("--no-concurrent-recompilation");
    // Flags of the process are its own: some, such as --input-type, no thread can start with.
    this.#worker = new Worker(script, { workerData, execArgv: [] });
    this.#worker.on("message", (reply: Reply<Result>) => this.#receive(reply));
    let cause: unknown;
    this.#worker.on("error", (error) => {
      cause = error;
    });
    this.#worker.on("exit", (code) => {
      const reason = cause instanceof Error ? cause.message : `exit code ${code}`;
      this.#end(new Error(`a worker thread ended by itself: ${reason}`, { cause }));
    });
    this.#worker.unref(); // after the listeners: adding one for messages refs it again
  }

  get backlog(): number {
    return this.#ended === undefined ? this.#waiting.size : Number.POSITIVE_INFINITY;
  }

  submit(job: Job): SubmittedJob<Result> {
    const number = this.#submitted++;
    const result = new Promise<Result>((resolve, reject) => {
      if (this.#ended === undefined) this.#waiting.set(number, { resolve, reject });
      else reject(this.#ended);
    });
    result.catch(() => {}); // reported to who awaits it
    this.#send({ kind: "run", number, job });
    return {
      result: () => this.#awake(result),
      cancel: () => {
        if (this.#waiting.delete(number)) this.#send({ kind: "cancel", number });
      },
    };
  }

  async close(): Promise<void> {
    if (this.#ended !== undefined) return;
    this.#end(new Error("a worker pool was closed before this job was done"));
    const ended = once(this.#worker, "exit");
    this.#worker.ref();
    this.#send({ kind: "close" });
    await ended;
  }

  async #awake(result: Promise<Result>): Promise<Result> {
    if (++this.#awaited === 1) this.#worker.ref();
    try {
      return await result;
    } finally {
      if (--this.#awaited === 0 && this.#ended === undefined) this.#worker.unref();
    }
  }

  #receive(reply: Reply<Result>): void {
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if ("error" in reply) waiting?.reject(unpackError(reply.error));
    else waiting?.resolve(reply.result);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  #send(request: Request<Job>): void {
    this.#worker.postMessage(request);
  }
}
