import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { UserError } from "../platform/errors.js";
import { makeFolder } from "../platform/files.js";
import { RunLock } from "../runs/runLock.js";
import { prepareRun, type RunRequest } from "./prepareRun.js";
import type { TrainEvent, TrainJob } from "./trainJob.js";

/** How a training ended, when it did not fail. */
type Ending = "finished" | "stopped";

/** Who follows a training. */
export interface TrainWatch {
  readonly onEvent: (event: TrainEvent) => void;
  /** Cancels it after the step it is in, which is saved: `runTraining` then rejects with the signal's reason. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Train in a child process. The runtime blocks its thread for whole steps, so the process that draws a status line and
 * answers Ctrl-C must be another one.
 */
export async function runTraining(request: RunRequest, watch: TrainWatch): Promise<void> {
  const { onEvent, signal } = watch;
  await makeFolder(request.folder);
  const lock = await RunLock.take(request.folder, {
    stopped: () => signal?.aborted === true,
    onWait: (message) => onEvent({ kind: "note", message }),
  });
  if (lock === null) throw signal?.reason;
  try {
    const job = await prepareRun(request, (message) => onEvent({ kind: "note", message }));
    signal?.throwIfAborted();
    if ((await trainInChild(job, lock, watch)) === "stopped") signal?.throwIfAborted();
  } finally {
    await lock.release();
  }
}

async function trainInChild(job: TrainJob, lock: RunLock, { onEvent, signal }: TrainWatch): Promise<Ending> {
  const child = fork(new URL("./trainProcess.js", import.meta.url), { serialization: "advanced" });
  const gone = once(child, "exit");
  const stop = (): void => void (child.connected && child.send("stop"));
  signal?.addEventListener("abort", stop);
  try {
    await lock.lend(child.pid!);
    return await follow(child, job, { onEvent, signal });
  } finally {
    signal?.removeEventListener("abort", stop);
    // Nothing writes to the folder once the lock is free.
    if (child.kill("SIGKILL")) await gone;
  }
}

function follow(child: ChildProcess, job: TrainJob, { onEvent, signal: asked }: TrainWatch): Promise<Ending> {
  const onCpu = (job.pace.device ?? "cpu") === "cpu";
  return new Promise((resolve, reject) => {
    let ending: TrainEvent | undefined;
    child.on("message", (event: TrainEvent) => {
      if (event.kind === "finished" || event.kind === "stopped" || event.kind === "failed") ending = event;
      if (event.kind !== "failed") onEvent(event);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (ending?.kind === "finished" || ending?.kind === "stopped") resolve(ending.kind);
      // A signal to the whole group reached it before it could listen: it had not begun.
      else if (asked?.aborted && (signal === "SIGTERM" || signal === "SIGINT")) resolve("stopped");
      else if (ending?.kind === "failed") {
        reject(new UserError(ending.message, ending.hint === undefined ? {} : { hint: ending.hint }));
      } else {
        reject(
          new UserError(`the training process exited unexpectedly (${signal ?? `exit code ${code}`})`, {
            hint: `out of memory${onCpu ? "" : ", or a driver that failed"}? the same command goes on from the last checkpoint${onCpu ? "" : ", with --device cpu on the CPU"}`,
          }),
        );
      }
    });
    child.send(job);
  });
}
