import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startThread } from "../../platform/startThread.js";
import type { Reply, Request, WorkerStart } from "./messages.js";

export interface ThreadEvents {
  onReply(reply: Reply): void;
  /** The thread has ended by itself; what it was asked for will not come. */
  onEnd(error: Error): void;
}

/** One worker thread, seen from outside. It keeps the process alive only while somebody waits for it. */
export class Thread {
  readonly #worker: Worker;
  readonly #unanswered = new Set<number>();
  #waiting = 0;
  #state: "open" | "closing" | "ended" = "open";

  constructor(start: WorkerStart, { onReply, onEnd }: ThreadEvents) {
    this.#worker = startThread(new URL("./worker.js", import.meta.url), start);
    this.#worker.on("message", (reply: Reply) => {
      this.#unanswered.delete(reply.step);
      onReply(reply);
    });
    let cause: unknown;
    this.#worker.on("error", (error) => {
      cause = error;
    });
    this.#worker.on("exit", (code) => {
      const wasOpen = this.#state === "open";
      this.#state = "ended";
      if (!wasOpen) return;
      const reason = cause instanceof Error ? cause.message : `exit code ${code}`;
      onEnd(new Error(`a loader thread ended by itself: ${reason}`, { cause }));
    });
    this.#worker.unref(); // after the listeners: adding one for messages refs it again
  }

  /** Batches asked for and not answered yet. */
  get backlog(): number {
    return this.#state === "open" ? this.#unanswered.size : Number.POSITIVE_INFINITY;
  }

  make(step: number): void {
    this.#unanswered.add(step);
    this.#send({ kind: "make", step });
  }

  forget(step: number): void {
    this.#unanswered.delete(step);
    this.#send({ kind: "forget", step });
  }

  /** Stay awake for this: without it, a process with nothing else to do would end before the answer is there. */
  async keepAwakeFor<T>(answer: Promise<T>): Promise<T> {
    if (++this.#waiting === 1) this.#worker.ref();
    try {
      return await answer;
    } finally {
      if (--this.#waiting === 0) this.#worker.unref();
    }
  }

  /** Let it finish the batch it is at, then end it. It is never killed in the middle of decoding an image. */
  async close(): Promise<void> {
    if (this.#state !== "open") return;
    this.#state = "closing";
    const ended = once(this.#worker, "exit");
    this.#worker.ref();
    this.#send({ kind: "close" });
    await ended;
  }

  #send(request: Request): void {
    this.#worker.postMessage(request);
  }
}
