import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tinyTraining } from "./trainProcess.js";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "faults-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const options = (name: string, ...more: readonly string[]): string[] => [
  ...[...tinyTraining, "--cache", join(root, "cache"), "--to", join(root, name), "--steps", "4"],
  ...more,
];

interface Ended {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Run node; after a minute it is taken to hang, and its code is null. */
const run = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, words, { timeout: 60_000, killSignal: "SIGKILL" }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? null), stdout, stderr }),
    );
  });

test("F2: a training whose lock cannot be lent to its child ends, and so does the child", async () => {
  const script = `
    const { RunLock } = await import("${process.cwd()}/dist/runs/runLock.js");
    const { UserError } = await import("${process.cwd()}/dist/platform/errors.js");
    RunLock.prototype.lend = async (pid) => {
      console.log("child " + pid);
      throw new UserError("no room for the lock");
    };
    process.argv = ["node", "gssl", "train", ...${JSON.stringify(options("lent"))}];
    await import("${process.cwd()}/dist/cli/main.js");`;
  await writeFile(join(root, "lend.mjs"), script);
  const { code, stdout, stderr } = await run(join(root, "lend.mjs"));
  expect([code, stderr]).toEqual([1, "gssl: no room for the lock\n"]);
  const [, pid] = /child (\d+)/.exec(stdout)!;
  expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
  expect(await readdir(join(root, "lent"))).not.toContain("run.lock");
}, 120_000);
