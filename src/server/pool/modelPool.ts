import { UserError } from "../../platform/errors.js";
import { ServingError } from "../http/servingError.js";
import type { Answer, Job, ProcessSettings } from "../process/job.js";
import { ProcessEnded } from "./childProcess.js";
import { Crashes } from "./crashes.js";
import type { ModelSource } from "./servedModel.js";
import { Supervised } from "./supervised.js";

/** How a model is served. */
export interface PoolSettings extends ProcessSettings {
  readonly processes: number;
  /** Requests that may wait; more are refused. */
  readonly queue: number;
  /** Milliseconds from a request to its answer; longer ones are ended. */
  readonly answerWithin: number;
}

/** Called with what happens. */
export interface PoolWatch {
  onNote(message: string): void;
  onRestart(): void;
  /** A job was done: how long it took by itself, in seconds. */
  onAnswer(seconds: number, answer: Answer): void;
}

interface Waiting {
  readonly job: Job;
  /** By `performance.now()`. */
  readonly deadline: number;
  resolve(answer: Answer): void;
  reject(error: Error): void;
  /** Called when it leaves the queue. */
  leave(): void;
}

/** Processes that hold one model, and the bounded queue of requests before them. */
export class ModelPool {
  readonly #settings: PoolSettings;
  readonly #watch: PoolWatch;
  readonly #crashes = new Crashes();
  readonly #waiting: Waiting[] = [];
  #model: ModelSource;
  #processes: Supervised[] = [];
  #reloading: Promise<unknown> = Promise.resolve();
  /** Seconds that a job takes, averaged over the last ones. */
  #pace = 0.1;
  #closed = false;

  constructor(model: ModelSource, settings: PoolSettings, watch: PoolWatch) {
    this.#model = model;
    this.#settings = settings;
    this.#watch = watch;
  }

  get model(): ModelSource {
    return this.#model;
  }

  /** Start the processes. Rejects where the model is refused; none is left then. */
  async start(): Promise<void> {
    this.#processes = await this.#startAll(this.#model);
  }

  /** Undefined when it answers requests, else why it does not. */
  get notReady(): string | undefined {
    if (this.#closed) return "the server is stopping";
    if (this.#processes.length === 0) return "the model is being loaded";
    if (this.#crashes.tooMany) return `processes ended ${this.#crashes.recent} times within a minute`;
    if (this.pids.length === 0) return "no process is running; another is being started";
    return undefined;
  }

  get pids(): number[] {
    return this.#processes.map(({ pid }) => pid).filter((pid) => pid !== null);
  }

  get queued(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#processes.filter(({ busy }) => busy).length;
  }

  /** Refuse requests for which the queue has no place: called before the body of a request is read, too. */
  requireRoom(): void {
    if (this.#closed) throw new ServingError(503, "the server is stopping", { retryAfter: 1 });
    if (this.#processes.length === 0) throw new ServingError(503, "the model is being loaded", { retryAfter: 1 });
    if (this.#waiting.length < this.#settings.queue) return;
    throw new ServingError(503, `the queue is full: ${this.#waiting.length} requests`, this.#retryLater);
  }

  get #retryLater(): { readonly hint: string; readonly retryAfter: number } {
    const left = Math.ceil((this.#pace * this.#waiting.length) / this.#settings.processes);
    return { hint: "try again later, or serve with more processes", retryAfter: Math.max(1, left) };
  }

  /** Answer a job when its turn comes. An abort takes it out of the queue; a job that runs is finished, and its process is free then. */
  async submit(job: Job, signal: AbortSignal): Promise<Answer> {
    this.requireRoom();
    signal.throwIfAborted();
    return new Promise<Answer>((resolve, reject) => {
      const { answerWithin } = this.#settings;
      const timer = setTimeout(() => {
        const error = new ServingError(503, `no process was free within ${answerWithin / 1000} s`, this.#retryLater);
        this.#drop(waiting, error);
      }, answerWithin);
      const aborted = (): void => this.#drop(waiting, signal.reason);
      const waiting: Waiting = {
        ...{ job, resolve, reject },
        deadline: performance.now() + answerWithin,
        leave() {
          clearTimeout(timer);
          signal.removeEventListener("abort", aborted);
        },
      };
      signal.addEventListener("abort", aborted);
      this.#waiting.push(waiting);
      this.#dispatch();
    });
  }

  /**
   * Read the model again and serve it from now on. Requests go on; where the model is refused, so does the old one. One at a time: a
   * reload compares with what the reload before it left.
   */
  reload(read: () => Promise<ModelSource>): Promise<"unchanged" | "replaced"> {
    const reloaded = this.#reloading.then(async () => {
      if (this.#closed) return "unchanged";
      const model = await read();
      if (model.sha256 === this.#model.sha256) return "unchanged";
      const started = await this.#startAll(model);
      const old = this.#processes;
      this.#processes = started;
      this.#model = model;
      for (const one of this.#closed ? [...old, ...started] : old) void one.close();
      this.#dispatch();
      return "replaced";
    });
    this.#reloading = reloaded.catch(() => {});
    return reloaded;
  }

  /** Answer what waits, take nothing new, end the processes. After `within` milliseconds, what is left is refused. */
  async close(within: number): Promise<void> {
    this.#closed = true;
    const until = performance.now() + within;
    while (this.queued + this.running > 0 && performance.now() < until) await new Promise((r) => setTimeout(r, 20));
    const error = new ServingError(503, "the server has stopped");
    for (const waiting of [...this.#waiting]) this.#drop(waiting, error);
    for (const one of this.#processes) if (one.busy) one.kill("the server stopped");
    await this.#reloading;
    await Promise.all(this.#processes.map((one) => one.close()));
  }

  async #startAll(model: ModelSource): Promise<Supervised[]> {
    const { onNote, onRestart } = this.#watch;
    const supervision = {
      ...{ model, settings: this.#settings, crashes: this.#crashes, onNote, onRestart },
      onIdle: () => this.#dispatch(),
    };
    const starts = Array.from({ length: this.#settings.processes }, () => Supervised.start(supervision));
    const started = await Promise.allSettled(starts);
    const refused = started.find((one) => one.status === "rejected");
    if (refused === undefined) return Promise.all(starts);
    for (const one of started) if (one.status === "fulfilled") void one.value.close();
    if (!(refused.reason instanceof ProcessEnded)) throw refused.reason;
    throw new UserError(`${model.file}: the process that loaded it exited unexpectedly (${refused.reason.message})`, {
      hint: "is there memory left? --processes 1 needs less",
      cause: refused.reason,
    });
  }

  #dispatch(): void {
    for (const one of this.#processes) {
      if (this.#waiting.length === 0) return;
      if (one.idle) void this.#run(this.#waiting.shift()!, one);
    }
  }

  async #run(waiting: Waiting, on: Supervised): Promise<void> {
    waiting.leave();
    const begun = performance.now();
    // Also where the client has gone: a process that hangs cannot serve the next request either.
    const timer = setTimeout(() => {
      const late = `took longer than ${this.#settings.answerWithin / 1000} s`;
      waiting.reject(new ServingError(504, `the answer ${late}`, { hint: "send a smaller image" }));
      on.kill(`a request ${late}`);
    }, waiting.deadline - begun);
    try {
      const answer = await on.run(waiting.job);
      const seconds = (performance.now() - begun) / 1000;
      this.#pace += 0.1 * (seconds - this.#pace);
      this.#watch.onAnswer(seconds, answer);
      waiting.resolve(answer);
    } catch (error) {
      waiting.reject(error instanceof ProcessEnded ? lost(error) : (error as Error));
    } finally {
      clearTimeout(timer);
    }
  }

  #drop(waiting: Waiting, error: Error): void {
    waiting.leave();
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    waiting.reject(error);
  }
}

const lost = ({ message }: ProcessEnded): ServingError =>
  new ServingError(503, `the process that computed this exited unexpectedly (${message})`, { retryAfter: 1 });
