import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RunLock } from "./runLock.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a folder is held by one at a time, and free again when released", async () => {
  const lock = await RunLock.take(folder);
  await expect(RunLock.take(folder)).rejects.toThrow(`in use by process ${process.pid}`);
  await lock.release();
  await (await RunLock.take(folder)).release();
  expect(await readdir(folder)).toEqual([]);
});

test("a lock of a process that is gone, or of a later one with its number, is taken over", async () => {
  const path = join(folder, "run.lock");
  const gone = { command: { pid: 2 ** 22 + 1, born: "x" }, trainer: null };
  await writeFile(path, JSON.stringify(gone));
  await (await RunLock.take(folder)).release();
  await writeFile(path, JSON.stringify({ command: { pid: process.pid, born: "another boot 1" }, trainer: null }));
  await (await RunLock.take(folder)).release();
});

test("an orphaned trainer is waited for: two never write to one folder", async () => {
  const trainer = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
  const lock = await RunLock.take(folder);
  await lock.lend(trainer.pid!);
  const text = JSON.parse(await readFile(join(folder, "run.lock"), "utf8"));
  await writeFile(join(folder, "run.lock"), JSON.stringify({ ...text, command: { pid: 2 ** 22 + 1, born: "x" } }));
  let taken = false;
  const second = RunLock.take(folder).then((lock) => {
    taken = true;
    return lock;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(taken).toBe(false);
  trainer.kill("SIGKILL");
  await once(trainer, "exit");
  await (await second).release();
});

test("of many that reach for a stale lock at once, exactly one gets it", async () => {
  for (let race = 0; race < 10; race++) {
    await writeFile(
      join(folder, "run.lock"),
      JSON.stringify({ command: { pid: 2 ** 22 + 1, born: "x" }, trainer: null }),
    );
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => RunLock.take(folder)));
    const winners = tries.filter((one) => one.status === "fulfilled");
    expect(winners).toHaveLength(1);
    await winners[0]!.value.release();
  }
});
