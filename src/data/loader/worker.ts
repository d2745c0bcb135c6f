/** A thread that makes batches: one after the other, the earliest step first, each handed over without a copy. */
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../../platform/errors.js";
import { ImageCache } from "./imageCache.js";
import { makeBatch } from "./makeBatch.js";
import { packError, type Reply, type Request, type WorkerStart } from "./messages.js";

invariant(parentPort !== null, "loader/worker.ts runs only as a worker thread");
const port = parentPort;
const { plan, memory } = workerData as WorkerStart;
const cache = new ImageCache(memory);

const wanted = new Set<number>();
let working = false;

port.on("message", (request: Request) => {
  if (request.kind === "make") wanted.add(request.step);
  else if (request.kind === "forget") wanted.delete(request.step);
  else {
    wanted.clear();
    port.close();
  }
  if (!working) void work();
});

async function work(): Promise<void> {
  working = true;
  while (wanted.size > 0) {
    const step = Math.min(...wanted);
    wanted.delete(step);
    await make(step);
    // With every image in the cache nothing above waits, and a request to forget would not be heard.
    await setImmediate();
  }
  working = false;
}

async function make(step: number): Promise<void> {
  try {
    const batch = await makeBatch(plan, step, cache);
    const memories = Object.values(batch).map(({ data }) => data.buffer as ArrayBuffer);
    port.postMessage({ step, batch } satisfies Reply, memories);
  } catch (error) {
    port.postMessage({ step, problem: packError(error) } satisfies Reply);
  }
}
