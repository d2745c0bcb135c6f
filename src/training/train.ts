import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { UserError } from "../platform/errors.js";
import { makeFolder } from "../platform/files.js";
import { RunLock } from "../runs/runLock.js";
import { prepareRun, type RunRequest } from "./prepareRun.js";
import type { TrainEvent } from "./trainEvents.js";
import type { TrainJob } from "./trainLoop.js";

/** How a training ended, when it did not fail. */
export type Ending = "finished" | "stopped";

/**
 * Train in a child process. The runtime blocks its thread for whole steps, so the process that draws a status line and
 * answers Ctrl-C must be another one.
 *
 * The first SIGINT or SIGTERM tells the child to save and leave after the step it is in; a second ends it at once, which
 * loses the steps since the last checkpoint and nothing else.
 */
export async function train(request: RunRequest, onEvent: (event: TrainEvent) => void): Promise<Ending> {
  const signals = new Signals();
  try {
    await makeFolder(request.folder);
    const lock = await RunLock.take(request.folder, {
      stopped: () => signals.came,
      onWait: (message) => onEvent({ kind: "note", message }),
    });
    if (lock === null) return "stopped";
    try {
      const job = await prepareRun(request);
      return signals.came ? "stopped" : await trainInChild(job, lock, signals, onEvent);
    } finally {
      await lock.release();
    }
  } finally {
    signals.forget();
  }
}

async function trainInChild(
  job: TrainJob,
  lock: RunLock,
  signals: Signals,
  onEvent: (event: TrainEvent) => void,
): Promise<Ending> {
  const child = fork(new URL("./trainProcess.js", import.meta.url), { serialization: "advanced" });
  const gone = once(child, "exit");
  signals.passTo(child);
  try {
    await lock.lend(child.pid!);
    return await follow(child, job, onEvent);
  } finally {
    // Whatever happened, nobody writes to the folder once the lock is free.
    if (child.kill("SIGKILL")) await gone;
  }
}

function follow(child: ChildProcess, job: TrainJob, onEvent: (event: TrainEvent) => void): Promise<Ending> {
  return new Promise((resolve, reject) => {
    let ending: TrainEvent | undefined;
    child.on("message", (event: TrainEvent) => {
      if (event.kind === "finished" || event.kind === "stopped" || event.kind === "failed") ending = event;
      if (event.kind !== "failed") onEvent(event);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (ending?.kind === "finished" || ending?.kind === "stopped") resolve(ending.kind);
      else if (ending?.kind === "failed") {
        reject(new UserError(ending.message, ending.hint === undefined ? {} : { hint: ending.hint }));
      } else {
        reject(
          new UserError(`the training process ended without a word (${signal ?? `exit code ${code}`})`, {
            hint: "out of memory? the same command goes on from the last checkpoint",
          }),
        );
      }
    });
    child.send(job);
  });
}

/** Signals that ask a training to stop. The process that holds one is not ended by them. */
class Signals {
  #came = 0;
  #child: ChildProcess | undefined;
  readonly #listener = (): void => {
    this.#came++;
    this.#tell();
  };

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, this.#listener);
  }

  get came(): boolean {
    return this.#came > 0;
  }

  /** From now on the child hears of them, and of one that came while it was being started. */
  passTo(child: ChildProcess): void {
    this.#child = child;
    if (this.came) this.#tell();
  }

  forget(): void {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, this.#listener);
  }

  #tell(): void {
    if (this.#came > 1) this.#child?.kill("SIGKILL");
    else if (this.#child?.connected) this.#child.send("stop");
  }
}
