import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { packError } from "../../data/loader/messages.js";
import { invariant } from "../../platform/errors.js";
import type { Hand } from "./crew.js";
import type { Reply, Request } from "./crewThread.js";

/** Be a thread of a crew: make a hand and do what is asked for, one task after the other. */
export function answerTasks<Start, Task, Answer>(open: (start: Start) => Hand<Task, Answer>): void {
  const port = parentPort;
  invariant(port !== null, "answerTasks runs only on a worker thread");
  const hand = open(workerData as Start);
  const waiting: { readonly number: number; readonly task: Task }[] = [];
  let working = false;
  let closing = false;

  const work = async (): Promise<void> => {
    working = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      port.postMessage(await reply(hand, next.number, next.task));
      await setImmediate(); // or a request to close would not be heard
    }
    working = false;
    if (closing) {
      await hand.close();
      port.close();
    }
  };

  port.on("message", (request: Request<Task>) => {
    if (request.kind === "do") waiting.push(request);
    else {
      closing = true;
      waiting.length = 0;
    }
    if (!working) void work();
  });
}

async function reply<Task, Answer>(hand: Hand<Task, Answer>, number: number, task: Task): Promise<Reply<Answer>> {
  try {
    return { number, answer: await hand.do(task) };
  } catch (error) {
    return { number, problem: packError(error) };
  }
}
