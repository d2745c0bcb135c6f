import { UserError } from "../platform/errors.js";
import type { TrainEvent, TrainJob } from "./trainJob.js";
import { trainLoop } from "./trainLoop.js";

/** The child process that trains: takes a job, reports events, ends. Only `train` starts it. */

let stop = false;
const emit = (event: TrainEvent): void => {
  if (process.connected) process.send!(event);
};

// A terminal sends Ctrl-C to the whole group; the parent decides what it means.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
// The parent is gone, and another command may continue in this folder. Files are written whole, so any moment will do.
process.on("disconnect", () => process.exit(1));

process.on("message", (message: TrainJob | "stop") => {
  if (message === "stop") stop = true;
  else void work(message);
});

async function work(job: TrainJob): Promise<void> {
  try {
    await trainLoop(job, { emit, stopRequested: () => stop });
  } catch (error) {
    const message = error instanceof UserError ? error.message : String(error instanceof Error ? error.stack : error);
    emit({ kind: "failed", message, hint: error instanceof UserError ? error.hint : undefined });
    process.exitCode = 1;
  }
  process.removeAllListeners("disconnect");
  process.disconnect();
}
