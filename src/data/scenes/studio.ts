import { once } from "node:events";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { startThread } from "../../platform/startThread.js";
import { drawScene, type Scene } from "./drawScene.js";
import type { ScenesSpec } from "./spec.js";

/** Draws many images, on as many threads as there are cores. An image depends on its key, not on who draws it. */
export interface Studio {
  draw(spec: ScenesSpec, index: number): Promise<Scene>;
  close(): Promise<void>;
}

/** Threads start when images are asked for, so a studio that is never asked costs nothing. */
export function openStudio(threads = availableParallelism()): Studio {
  const script = new URL("./studioWorker.js", import.meta.url);
  // Run from TypeScript, as tests are, there is nothing a thread could start from.
  if (!existsSync(script)) return onThisThread;
  const workers: Worker[] = [];
  const idle: Worker[] = [];
  const waiting: ((worker: Worker) => void)[] = [];
  const hire = (): Worker => {
    const worker = startThread(script);
    workers.push(worker);
    return worker;
  };
  const borrow = (): Worker | Promise<Worker> =>
    idle.pop() ?? (workers.length < threads ? hire() : new Promise((resolve) => waiting.push(resolve)));
  const giveBack = (worker: Worker): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(worker);
    else next(worker);
  };
  return {
    async draw(spec, index) {
      const worker = await borrow();
      const answer = once(worker, "message") as Promise<[Scene]>;
      worker.postMessage({ spec, index });
      // If drawing throws, the thread has ended and is not given back; the error reaches whoever asked.
      const [scene] = await answer;
      giveBack(worker);
      return scene;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

const onThisThread: Studio = {
  draw: async (spec, index) => drawScene(spec, index),
  close: async () => {},
};
