import { existsSync } from "node:fs";
import { CrewThread } from "./crewThread.js";

/** Does tasks one after the other. */
export interface Hand<Task, Answer> {
  do(task: Task): Answer | Promise<Answer>;
  close(): Promise<void>;
}

/** A kind of work: how a hand is made of what it must know beforehand, and the file that makes one on a thread. */
export interface Work<Start, Task, Answer> {
  open(start: Start): Hand<Task, Answer>;
  /** Calls `answerTasks(open)`. */
  readonly script: URL;
}

/** Several hands at the same work. NetworkOutputs come in the order of the tasks, and so does the first error. */
export interface Crew<Task, Answer> {
  answers(tasks: Iterable<Task> | AsyncIterable<Task>): AsyncGenerator<Answer>;
  close(): Promise<void>;
}

/**
 * A crew on so many threads; with one, the work is done here. Tasks, answers and `start` are cloned on their way, arrays in
 * shared memory are not. Each thread has at most two tasks, so memory does not grow with their number.
 */
export function openCrew<Start, Task, Answer>(
  { open, script }: Work<Start, Task, Answer>,
  start: Start,
  threads: number,
): Crew<Task, Answer> {
  // Run from TypeScript, as tests are, there is nothing a thread could start from.
  if (threads === 1 || !existsSync(script)) return onThisThread(open(start));
  const crew = Array.from({ length: threads }, () => new CrewThread<Task, Answer>(script, start));
  const ask = (task: Task): Promise<Answer> => {
    const answer = crew.reduce((least, thread) => (thread.backlog < least.backlog ? thread : least)).ask(task);
    answer.catch(() => {}); // heard when it is its turn
    return answer;
  };
  return {
    async *answers(tasks) {
      const asked: Promise<Answer>[] = [];
      for await (const task of tasks) {
        if (asked.length === 2 * threads) yield await asked.shift()!;
        asked.push(ask(task));
      }
      for (const answer of asked) yield await answer;
    },
    async close() {
      await Promise.all(crew.map((thread) => thread.close()));
    },
  };
}

function onThisThread<Task, Answer>(hand: Hand<Task, Answer>): Crew<Task, Answer> {
  return {
    async *answers(tasks) {
      for await (const task of tasks) yield await hand.do(task);
    },
    close: () => hand.close(),
  };
}
