import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";

/**
 * Start a worker thread that can end.
 *
 * One that ends by itself waits for V8's background work; code being optimised there may in turn wait for a garbage collection by
 * the thread, and neither goes on (nodejs/node#54918, seen in Node 20.20). Isolates made without a background compiler optimise
 * where they run; the main thread has its own already and keeps it.
 */
export function startThread(script: URL, workerData?: unknown): Worker {
  setFlagsFromString("--no-concurrent-recompilation");
  // Flags of the process are its own: some, such as --input-type, no thread can start with.
  return new Worker(script, { workerData, execArgv: [] });
}
