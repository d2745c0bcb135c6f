import { type ChildProcess, fork } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { UserError } from "../platform/errors.js";
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
 * The first SIGINT or SIGTERM asks the child to save and leave after the step it is in; a second ends it at once, which
 * loses the steps since the last checkpoint and nothing else.
 */
export async function train(request: RunRequest, onEvent: (event: TrainEvent) => void): Promise<Ending> {
  await mkdir(request.folder, { recursive: true });
  const lock = await RunLock.take(request.folder);
  try {
    const job = await prepareRun(request);
    const child = fork(new URL("./trainProcess.js", import.meta.url), { serialization: "advanced" });
    const forget = passOnSignals(child);
    try {
      await lock.lend(child.pid!);
      return await follow(child, job, onEvent);
    } finally {
      forget();
    }
  } finally {
    await lock.release();
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

function passOnSignals(child: ChildProcess): () => void {
  let asked = false;
  const pass = (): void => {
    if (asked) child.kill("SIGKILL");
    else if (child.connected) child.send("stop");
    asked = true;
  };
  process.on("SIGINT", pass);
  process.on("SIGTERM", pass);
  return () => {
    process.off("SIGINT", pass);
    process.off("SIGTERM", pass);
  };
}
