import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { float32 } from "../src/engine/tensor/hostTensor.js";
import { writeSafetensors } from "../src/engine/tensor/safetensors.js";
import { TrainProcess, tinyTraining, weightsHash } from "./trainProcess.js";

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
});

const gssl = (...words: readonly string[]): Promise<Ended> => run("dist/cli/main.js", "train", ...words);
const file = (name: string, ...parts: readonly string[]): string => join(root, name, ...parts);

/** Train until the first step is done, then ask it to stop. */
async function stopEarly(...words: readonly string[]): Promise<void> {
  const process = new TrainProcess(words);
  await process.until("step");
  process.signal("SIGINT", "command");
  expect((await process.ended).code).toBe(130);
}

test("F1: damaged weights are written again from a checkpoint; without one they are refused, and never trained anew", async () => {
  const words = options("sealed", "--checkpoint-every", "1");
  await stopEarly(...words);
  await cp(file("sealed", "checkpoints"), file("sealed-copy"), { recursive: true });
  expect((await gssl(...words)).code).toBe(0);
  // A finished run has no use for checkpoints, and keeps none.
  expect(await readdir(file("sealed"))).not.toContain("checkpoints");
  const good = await weightsHash(file("sealed"));
  const weights = file("sealed", "weights.safetensors");
  const bytes = await readFile(weights);
  bytes[bytes.length >> 1] = bytes[bytes.length >> 1]! ^ 4;
  await writeFile(weights, bytes);
  const refused = await gssl(...words);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`${weights}: is damaged`)]);
  expect(refused.stderr).toContain("--overwrite");
  await cp(file("sealed-copy"), file("sealed", "checkpoints"), { recursive: true });
  const mended = await gssl(...words);
  expect([mended.code, mended.stdout]).toEqual([0, expect.stringContaining("it is written again")]);
  expect(await weightsHash(file("sealed"))).toBe(good);
});

test("more steps for a finished run go on from its weights, the same way with or without an interruption; drafts are removed", async () => {
  for (const name of ["longer", "longer-stopped"]) expect((await gssl(...options(name))).code).toBe(0);
  const short = await weightsHash(file("longer"));
  const more = (name: string): string[] => [...options(name).slice(0, -2), "--steps", "8", "--checkpoint-every", "1"];
  const whole = new TrainProcess(more("longer"));
  expect((await whole.ended).code).toBe(0);
  expect(whole.events.find(({ kind }) => kind === "started")).toMatchObject({ done: 4, steps: 8 });
  const draft = file("longer-stopped", "weights.safetensors.0c7b5c1e-1111-4222-8333-444455556666.tmp");
  await writeFile(draft, "half");
  await stopEarly(...more("longer-stopped"));
  expect((await gssl(...more("longer-stopped"))).code).toBe(0);
  const [a, b] = await Promise.all(["longer", "longer-stopped"].map((name) => weightsHash(file(name))));
  expect(a).toBe(b);
  expect(a).not.toBe(short);
  expect(await readdir(file("longer-stopped"))).not.toContain(basename(draft));
  const steps = (await readFile(file("longer", "log.jsonl"), "utf8")).trim().split("\n");
  expect(steps.map((line) => (JSON.parse(line) as { step: number }).step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  // The command of before is still good; a length that the run never had is another training.
  const first = await gssl(...options("longer"));
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("was given 4 more steps since")]);
  const other = await gssl(...options("longer").slice(0, -2), "--steps", "5");
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("holds another run: ")]);
});

test("G3: a training that is refused at its start does not stand in the way of the corrected one", async () => {
  const weights = file("none.safetensors");
  await writeFile(weights, writeSafetensors({ "somebody.else": float32([1], Float32Array.of(1)) }));
  const refused = await gssl(...options("corrected", "--weights", weights));
  expect(refused.code).toBe(1);
  expect(await readdir(file("corrected"))).toContain("config.json");
  expect(await gssl(...options("corrected"))).toMatchObject({ code: 0 });
});

test("F9: a run folder that is a file is refused in words", async () => {
  await writeFile(file("taken"), "");
  const { code, stderr } = await gssl(...options("taken"));
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${file("taken")}: is a file, wanted a folder`)]);
});
