import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WorkerPool as SourcePool } from "./workerPool.js";

// Threads are started from JavaScript, so this file tests the build (see test/build.ts).
const built = (name: string): string => pathToFileURL(resolve(`dist/platform/${name}.js`)).href;
const { WorkerPool }: typeof import("./workerPool.js") = await import(built("workerPool"));

type Job = number | "exit" | "refuse" | "break";

/** Doubles numbers, the smaller the slower; does the rest as its name says. */
const doubling = `
import { setTimeout } from "node:timers/promises";
import { UserError } from "${built("errors")}";

export const openRunner = (start) => ({
  async run(job) {
    if (job === "exit") process.exit(3);
    if (job === "refuse") throw new UserError("image 7: nothing fits", { hint: "look at image 7" });
    if (job === "break") throw new Error("internal: broken");
    await setTimeout(Math.max(0, 20 - 5 * job));
    return start.factor * job;
  },
});
`;

let folder: string;
let module: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "worker-pool-"));
  await writeFile(join(folder, "doubling.mjs"), doubling);
  module = pathToFileURL(join(folder, "doubling.mjs")).href;
});
afterAll(() => rm(folder, { recursive: true }));

const openRunner = () => ({ run: (job: Job) => -Number(job) });
const open = (threads: number) =>
  new WorkerPool<{ factor: number }, Job, number>({ openRunner, module }, { factor: 2 }, threads);

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of from) found.push(one);
  return found;
}

async function results(threads: number, jobs: readonly Job[]): Promise<number[]> {
  const pool = open(threads);
  try {
    return await all(pool.results(jobs));
  } finally {
    await pool.close();
  }
}

test("results come in the order of the jobs, whichever is done first", async () => {
  const jobs = Array.from({ length: 11 }, (_, k) => k);
  expect(await results(3, jobs)).toEqual(jobs.map((k) => 2 * k));
});

test("with 0 threads, or from TypeScript, jobs run on the caller's thread", async () => {
  expect(await results(0, [1, 2])).toEqual([-1, -2]);
  const fromSource = new SourcePool<null, Job, number>({ openRunner, module }, null, 4);
  expect(await all(fromSource.results([3]))).toEqual([-3]);
});

test("one thread is a thread", async () => {
  expect(await results(1, [1, 2])).toEqual([2, 4]);
});

test("a cancelled job that has not begun is not run, and others are", async () => {
  const pool = open(1);
  const [first, second, third] = [pool.submit(0), pool.submit("exit"), pool.submit(2)];
  second.cancel();
  expect([await first.result(), await third.result()]).toEqual([0, 4]);
  await pool.close();
});

test("a pool that closes refuses the jobs that wait and those that come later", async () => {
  const pool = open(1);
  const waiting = expect(pool.submit(0).result()).rejects.toThrow("closed before this job was done");
  await pool.close();
  await waiting;
  await expect(pool.submit(1).result()).rejects.toThrow("closed before this job was done");
});

test("jobs are taken one by one, at most two ahead for each thread", async () => {
  const pool = open(2);
  let taken = 0;
  function* endless(): Generator<number> {
    for (;;) yield taken++;
  }
  const doubled = pool.results(endless());
  expect((await doubled.next()).value).toBe(0);
  expect((await doubled.next()).value).toBe(2);
  expect(taken).toBeLessThanOrEqual(7);
  await doubled.return(undefined);
  await pool.close();
});

test("an error keeps its kind, message and hint, and the first in order is the one heard", async () => {
  await expect(results(2, [0, "refuse", "break"])).rejects.toMatchObject({
    name: "UserError",
    message: "image 7: nothing fits",
    hint: "look at image 7",
  });
  await expect(results(2, [0, 1, "break", "refuse"])).rejects.toThrow("internal: broken");
});

test("a pool goes on after an error", async () => {
  const pool = open(2);
  await expect(all(pool.results([1, "refuse", 2]))).rejects.toThrow("nothing fits");
  expect(await all(pool.results([5, 6]))).toEqual([10, 12]);
  await pool.close();
});

test("a thread that ends by itself is an error, not a wait without end", async () => {
  await expect(results(2, [1, "exit", 2])).rejects.toThrow("a worker thread ended by itself: exit code 3");
});

test("an idle pool does not keep the process alive", async () => {
  const code = `
    const { WorkerPool } = await import("${built("workerPool")}");
    const pool = new WorkerPool({ module: "${module}" }, { factor: 3 }, 2);
    for await (const result of pool.results([1, 2, 3])) console.log(result);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
  expect(stdout).toBe("3\n6\n9\n");
});
