import { type ChildProcess, fork } from "node:child_process";
import { unpackError } from "../../platform/errors.js";
import type { Answer, FromProcess, Job, ModelBytes, ProcessSettings, ToProcess } from "../process/job.js";

/** The process ended before it answered. */
export class ProcessEnded extends Error {}

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** Milliseconds that loading a model may take. */
const LOAD_WITHIN = 120_000;

/** A process that holds a model, seen from outside. It does one thing at a time. */
export class ModelProcess {
  readonly #child: ChildProcess;
  #loading: Waiting<void> | undefined;
  #job: Waiting<Answer> | undefined;
  #alive = true;
  /** Resolves when it has ended, with the reason. */
  readonly ended: Promise<string>;

  private constructor() {
    // Flags of this process are its own; what the runtime says when it aborts goes to our standard error.
    this.#child = fork(new URL("../process/modelProcess.js", import.meta.url), {
      serialization: "advanced",
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child.on("message", (message: FromProcess) => this.#receive(message));
    this.ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.#alive = false;
        const error = new ProcessEnded(reason);
        this.#loading?.reject(error);
        this.#job?.reject(error);
        resolve(reason);
      };
      this.#child.once("exit", (code, signal) => end(signal ?? `exit code ${code}`));
      this.#child.on("error", ({ message }) => end(message));
    });
  }

  /** Start a process and load a model. Rejects where the model is refused; the process has ended then. */
  static async start({ name, file, bytes }: ModelBytes, settings: ProcessSettings): Promise<ModelProcess> {
    const started = new ModelProcess();
    const timer = setTimeout(() => started.kill(), LOAD_WITHIN);
    try {
      await new Promise<void>((resolve, reject) => {
        started.#loading = { resolve, reject };
        started.#send({ kind: "load", model: { name, file, bytes }, settings });
      });
      return started;
    } catch (error) {
      started.kill();
      await started.ended;
      throw error;
    } finally {
      clearTimeout(timer);
      started.#loading = undefined;
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Whether it can be given a job: false from the moment it ended. */
  get alive(): boolean {
    return this.#alive && this.#child.connected;
  }

  /** Rejects with what is wrong with the request, or with `ProcessEnded`. */
  run(job: Job): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.#job = { resolve, reject };
      this.#send({ kind: "job", job });
    }).finally(() => {
      this.#job = undefined;
    });
  }

  /** End it at once. It is a process of its own: nothing else goes with it. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** End it when it has nothing to do. */
  async close(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.ended;
  }

  #send(message: ToProcess): void {
    // Where the channel is closed, the end of the process rejects what waits.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #receive(message: FromProcess): void {
    if (message.kind === "ready") this.#loading?.resolve();
    else if (message.kind === "answer") this.#job?.resolve(message.answer);
    else (this.#loading ?? this.#job)?.reject(unpackError(message.error));
  }
}
