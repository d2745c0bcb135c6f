import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Process, type ProcessPlace, placeHere, processOf } from "./processes.js";
import { RunLock, type Waiting } from "./runLock.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
});
const take = async (waiting?: Waiting): Promise<RunLock> => (await RunLock.take(folder, waiting))!;
const GONE = { pid: 2 ** 22 + 1, born: "x" };
const heldBy = async (holder: { command: Process; place?: ProcessPlace }): Promise<void> =>
  writeFile(join(folder, "run.lock"), JSON.stringify({ trainer: null, place: await placeHere(), ...holder }));
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a folder is held by one at a time, and free again when released", async () => {
  const lock = await take();
  await expect(take()).rejects.toThrow(`in use by process ${process.pid}`);
  await lock.release();
  await (await take()).release();
  expect(await readdir(folder)).toEqual([]);
});

test("a lock of a process that is gone, or of a later one with its number, is taken over", async () => {
  await heldBy({ command: GONE });
  await (await take()).release();
  await heldBy({ command: { pid: process.pid, born: "another time" } });
  await (await take()).release();
  const { host, namespace } = await placeHere();
  await heldBy({ command: await processOf(process.pid), place: { host, namespace, boot: "the boot before" } });
  await (await take()).release();
});

test("a lock of another machine or container is left alone, and the message names the file to remove", async () => {
  const here = await placeHere();
  for (const place of [
    { ...here, host: "elsewhere" },
    { ...here, namespace: "pid:[1]" },
  ]) {
    await heldBy({ command: GONE, place });
    await expect(take()).rejects.toMatchObject({
      message: `${folder} is in use by process ${GONE.pid} of ${place.host}; whether it still runs cannot be seen from here`,
      hint: `if it has ended, remove ${join(folder, "run.lock")}`,
    });
  }
});

test("an orphaned trainer is waited for: two never write to one folder", async () => {
  const trainer = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
  const lock = await take();
  await lock.lend(trainer.pid!);
  const text = JSON.parse(await readFile(join(folder, "run.lock"), "utf8"));
  await writeFile(join(folder, "run.lock"), JSON.stringify({ ...text, command: GONE }));
  let taken = false;
  const told: string[] = [];
  const second = take({ onWait: (message) => told.push(message) }).then((lock) => {
    taken = true;
    return lock;
  });
  // F4: a process that is asked to stop while waiting stops.
  let waited = 0;
  expect(await RunLock.take(folder, { stopped: () => waited++ > 3 })).toBeNull();
  expect(taken).toBe(false);
  expect(told).toEqual([`waiting for process ${trainer.pid}, left over from an earlier training, to end`]);
  trainer.kill("SIGKILL");
  await once(trainer, "exit");
  await (await second).release();
});

test("of many that reach for a stale lock at once, exactly one gets it", async () => {
  for (let race = 0; race < 10; race++) {
    await heldBy({ command: GONE });
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => take()));
    const winners = tries.filter((one) => one.status === "fulfilled");
    expect(winners).toHaveLength(1);
    await winners[0]!.value.release();
  }
});

test("F4: a guard that a killed process left is removed, whatever the clock of the file system says", async () => {
  const guard = join(folder, "run.lock.guard");
  await mkdir(guard);
  const tomorrow = Date.now() / 1000 + 86_400;
  await utimes(guard, tomorrow, tomorrow);
  await (await take()).release();
  expect(await readdir(folder)).toEqual([]);
});
