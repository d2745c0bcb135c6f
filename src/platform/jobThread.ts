/** The script of every thread of a `WorkerPool`: imports the module of its jobs and runs them one after the other. */
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { invariant, packError } from "./errors.js";
import type { JobKind, Reply, Request } from "./workerPool.js";

const port = parentPort;
invariant(port !== null, "jobThread.js is started by a WorkerPool");
const { module, start } = workerData as { readonly module: string; readonly start: unknown };
const { openRunner } = (await import(module)) as JobKind<unknown, unknown, unknown>;
const runner = openRunner(start);

const waiting = new Map<number, unknown>();
let running = false;
let closing = false;

port.on("message", (request: Request<unknown>) => {
  if (request.kind === "run") waiting.set(request.number, request.job);
  else if (request.kind === "cancel") waiting.delete(request.number);
  else {
    closing = true;
    waiting.clear();
  }
  if (!running) void runWaiting(port);
});

async function runWaiting(to: NonNullable<typeof parentPort>): Promise<void> {
  running = true;
  for (const [number, job] of waiting) {
    waiting.delete(number);
    try {
      const result = await runner.run(job);
      to.postMessage({ number, result } satisfies Reply<unknown>, runner.transfer?.(result) ?? []);
    } catch (error) {
      to.postMessage({ number, error: packError(error) } satisfies Reply<unknown>);
    }
    await setImmediate(); // a runner that never waits would leave no time to receive a message
  }
  running = false;
  if (!closing) return;
  await runner.close?.();
  to.close();
}
