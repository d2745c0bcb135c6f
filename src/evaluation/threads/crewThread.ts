import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { type Problem, unpackError } from "../../data/loader/messages.js";
import { startThread } from "../../platform/startThread.js";

export type Request<Task> =
  | { readonly kind: "do"; readonly number: number; readonly task: Task }
  /** Finish the task at hand, forget the others, then end. */
  | { readonly kind: "close" };

export type Reply<Answer> = { readonly number: number } & ({ readonly answer: Answer } | { readonly problem: Problem });

interface Asker<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** One thread of a crew, seen from outside. It keeps the process alive only while it owes an answer. */
export class CrewThread<Task, Answer> {
  readonly #worker: Worker;
  readonly #askers = new Map<number, Asker<Answer>>();
  #asked = 0;
  #closing = false;
  #ended: Error | undefined;

  constructor(script: URL, start: unknown) {
    this.#worker = startThread(script, start);
    this.#worker.on("message", (reply: Reply<Answer>) => this.#hear(reply));
    let cause: unknown;
    this.#worker.on("error", (error) => {
      cause = error;
    });
    this.#worker.on("exit", (code) => {
      const reason = cause instanceof Error ? cause.message : `exit code ${code}`;
      this.#ended = new Error(`a thread ended by itself: ${reason}`, { cause });
      for (const { reject } of this.#askers.values()) reject(this.#ended);
      this.#askers.clear();
    });
    this.#worker.unref(); // after the listeners: adding one for messages refs it again
  }

  /** Tasks asked for and not answered yet. */
  get backlog(): number {
    return this.#ended === undefined ? this.#askers.size : Number.POSITIVE_INFINITY;
  }

  ask(task: Task): Promise<Answer> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#askers.set(number, { resolve, reject });
      this.#worker.ref();
      this.#send({ kind: "do", number, task });
    });
  }

  /** Let it finish the task it is at, then end it. */
  async close(): Promise<void> {
    if (this.#closing || this.#ended !== undefined) return;
    this.#closing = true;
    const ended = once(this.#worker, "exit");
    this.#worker.ref();
    this.#send({ kind: "close" });
    await ended;
  }

  #hear(reply: Reply<Answer>): void {
    const asker = this.#askers.get(reply.number)!;
    this.#askers.delete(reply.number);
    if (this.#askers.size === 0 && !this.#closing) this.#worker.unref();
    if ("problem" in reply) asker.reject(unpackError(reply.problem));
    else asker.resolve(reply.answer);
  }

  #send(request: Request<Task>): void {
    this.#worker.postMessage(request);
  }
}
