import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

// Threads are started from JavaScript, so this file tests the build (see test/build.ts).
const built = (name: string): string => pathToFileURL(resolve(`dist/evaluation/threads/${name}.js`)).href;
const { openCrew }: typeof import("./crew.js") = await import(built("crew"));

type Task = number | "exit" | "refuse" | "break";

/** Doubles numbers, the smaller the slower; does the rest as its name says. */
const doubling = `
import { answerTasks } from "${built("answerTasks")}";
import { setTimeout } from "node:timers/promises";
import { UserError } from "${pathToFileURL(resolve("dist/platform/errors.js")).href}";

answerTasks((start) => ({
  async do(task) {
    if (task === "exit") process.exit(3);
    if (task === "refuse") throw new UserError("image 7: nothing fits", { hint: "look at image 7" });
    if (task === "break") throw new Error("internal: broken");
    await setTimeout(Math.max(0, 20 - 5 * task));
    return start.factor * task;
  },
  close: async () => {},
}));
`;

let folder: string;
let script: URL;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crew-"));
  await writeFile(join(folder, "doubling.mjs"), doubling);
  script = pathToFileURL(join(folder, "doubling.mjs"));
});
afterAll(() => rm(folder, { recursive: true }));

const here = () => ({ do: (task: Task) => -Number(task), close: async () => {} });
const open = (threads: number) =>
  openCrew<{ factor: number }, Task, number>({ open: here, script }, { factor: 2 }, threads);

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of from) found.push(one);
  return found;
}

async function answers(threads: number, tasks: readonly Task[]): Promise<number[]> {
  const crew = open(threads);
  try {
    return await all(crew.answers(tasks));
  } finally {
    await crew.close();
  }
}

test("answers come in the order of the tasks, whoever is first", async () => {
  const tasks = Array.from({ length: 11 }, (_, k) => k);
  expect(await answers(3, tasks)).toEqual(tasks.map((k) => 2 * k));
});

test("with one thread, or from TypeScript, the work is done here", async () => {
  expect(await answers(1, [1, 2])).toEqual([-1, -2]);
  const nowhere = { open: here, script: new URL("./no.js", script) };
  expect(await all(openCrew(nowhere, {}, 4).answers([3]))).toEqual([-3]);
});

test("the files that threads start from are in the build", () => {
  for (const name of ["scoreWorker", "sketchWorker"]) expect(existsSync(new URL(built(name))), name).toBe(true);
});

test("tasks are taken one by one, at most two ahead for each thread", async () => {
  const crew = open(2);
  let taken = 0;
  function* endless(): Generator<number> {
    for (;;) yield taken++;
  }
  const doubled = crew.answers(endless());
  expect((await doubled.next()).value).toBe(0);
  expect((await doubled.next()).value).toBe(2);
  expect(taken).toBeLessThanOrEqual(7);
  await doubled.return(undefined);
  await crew.close();
});

test("an error keeps its kind, message and hint, and the first in order is the one heard", async () => {
  await expect(answers(2, [0, "refuse", "break"])).rejects.toMatchObject({
    name: "UserError",
    message: "image 7: nothing fits",
    hint: "look at image 7",
  });
  await expect(answers(2, [0, 1, "break", "refuse"])).rejects.toThrow("internal: broken");
});

test("a crew goes on after an error", async () => {
  const crew = open(2);
  await expect(all(crew.answers([1, "refuse", 2]))).rejects.toThrow("nothing fits");
  expect(await all(crew.answers([5, 6]))).toEqual([10, 12]);
  await crew.close();
});

test("a thread that ends by itself is an error, not a wait without end", async () => {
  await expect(answers(2, [1, "exit", 2])).rejects.toThrow("a thread ended by itself: exit code 3");
});

test("an idle crew does not keep the process alive", async () => {
  const code = `
    const { openCrew } = await import("${built("crew")}");
    const crew = openCrew({ script: new URL("${script.href}") }, { factor: 3 }, 2);
    for await (const answer of crew.answers([1, 2, 3])) console.log(answer);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
  expect(stdout).toBe("3\n6\n9\n");
});
