import { setTimeout as wait } from "node:timers/promises";
import type { Answer, Job, ModelBytes, ProcessSettings } from "../process/job.js";
import { ModelProcess, ProcessEnded } from "./childProcess.js";
import type { Crashes } from "./crashes.js";

/** What a supervised process tells its pool. */
export interface Supervision {
  readonly model: ModelBytes;
  readonly settings: ProcessSettings;
  readonly crashes: Crashes;
  /** It can take a job. */
  onIdle(): void;
  onNote(message: string): void;
  onRestart(): void;
}

/** One process of a model: started again when it ends by itself. */
export class Supervised {
  readonly #with: Supervision;
  readonly #closing = new AbortController();
  #process: ModelProcess | null = null;
  #busy = false;
  #killed: string | undefined;

  private constructor(supervision: Supervision) {
    this.#with = supervision;
  }

  /** Resolves when the model is loaded; rejects where it is refused. */
  static async start(supervision: Supervision): Promise<Supervised> {
    const supervised = new Supervised(supervision);
    supervised.#keep(await ModelProcess.start(supervision.model, supervision.settings));
    return supervised;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get idle(): boolean {
    return this.#process?.alive === true && !this.#busy && !this.#closing.signal.aborted;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Only when idle. Rejects with what is wrong with the request, or with `ProcessEnded`. */
  async run(job: Job): Promise<Answer> {
    this.#busy = true;
    const running = this.#process!;
    try {
      return await running.run(job);
    } finally {
      this.#busy = false;
      if (this.#closing.signal.aborted) void running.close();
      else if (this.idle) this.#with.onIdle();
    }
  }

  /** End it in the middle of what it does, and start another. */
  kill(why: string): void {
    this.#killed = why;
    this.#process?.kill();
  }

  /** Take no more jobs; end after the one it is at. */
  async close(): Promise<void> {
    this.#closing.abort();
    const last = this.#process;
    if (last === null) return;
    if (!this.#busy) await last.close();
    else await last.ended;
  }

  #keep(started: ModelProcess): void {
    this.#process = started;
    void started.ended.then((reason) => this.#lost(reason));
  }

  async #lost(reason: string): Promise<void> {
    const { model, crashes, onNote, onIdle } = this.#with;
    const pid = this.pid;
    this.#process = null;
    if (this.#closing.signal.aborted) return;
    crashes.add();
    onNote(`${model.name}: process ${pid} ended (${this.#killed ?? reason}); starting another`);
    this.#killed = undefined;
    await this.#startAgain();
    if (this.idle) onIdle();
  }

  /** Until it succeeds or is closed. */
  async #startAgain(): Promise<void> {
    const { model, settings, crashes, onNote, onRestart } = this.#with;
    const { signal } = this.#closing;
    for (;;) {
      await wait(crashes.delay, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        const started = await ModelProcess.start(model, settings);
        if (signal.aborted) return await started.close();
        onRestart();
        return this.#keep(started);
      } catch (error) {
        crashes.add();
        const why = error instanceof ProcessEnded ? `it ended (${error.message})` : String(error);
        onNote(`${model.name}: a process could not load the model again: ${why}`);
      }
    }
  }
}
