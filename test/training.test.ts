import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { random } from "../src/engine/tensor/random.js";
import { dirtyData, makeDirty } from "./dirtyData.js";
import { TrainProcess, tinyTraining, weightsHash } from "./trainProcess.js";

/** RELIABILITY asks for 100; a dozen with every change, the rest with GSSL_KILLS=100. */
const KILLS = Number(process.env.GSSL_KILLS ?? 12);
/** Enough that training is not over before the last kill. */
const LONG = 10 * KILLS;
const STEPS = 24;

let root: string;
let reference: string;
const run = (name: string, ...more: string[]): TrainProcess =>
  new TrainProcess([
    ...tinyTraining,
    ...["--cache", join(root, "cache"), "--to", join(root, name), "--steps", String(STEPS)],
    ...more,
  ]);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "training-"));
  const { code, stderr } = await run("whole").ended;
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("gssl:")]);
  reference = await weightsHash(join(root, "whole"));
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

test("the weights do not depend on threads or loader workers", async () => {
  for (const [threads, workers] of [
    ["1", "0"],
    ["2", "1"],
    ["2", "3"],
  ]) {
    const name = `threads-${threads}-workers-${workers}`;
    await run(name, "--threads", threads!, "--workers", workers!).ended;
    expect(await weightsHash(join(root, name)), name).toBe(reference);
  }
}, 600_000);

test(`R1: killed at ${KILLS} random moments and started again, it loses nothing and ends with the same weights`, async () => {
  const [folder, whole] = [join(root, "killed"), join(root, "never killed")];
  await run("never killed", "--steps", String(LONG)).ended;
  let acknowledged = 0;
  let kills = 0;
  for (let attempt = 0; ; attempt++) {
    const draw = random("kill", attempt);
    const process = run("killed", "--steps", String(LONG), "--checkpoint-every", "1");
    if (kills < KILLS) {
      // Half of the time in the middle of training, else anywhere, start and data check included.
      if (draw.uniform() < 0.5) await process.until("step", 1 + draw.below(12));
      else await new Promise((resolve) => setTimeout(resolve, draw.below(1500)));
      process.signal("SIGKILL", draw.uniform() < 0.5 ? "command" : "group");
      kills++;
    }
    const { code, stderr } = await process.ended;
    const started = process.events.find((event) => event.kind === "started");
    if (started !== undefined) expect(started.done, stderr).toBeGreaterThanOrEqual(acknowledged);
    acknowledged = Math.max(acknowledged, process.acknowledged);
    if (process.events.some((event) => event.kind === "finished")) break;
    if (kills >= KILLS && code !== 128 + 9) expect([code, stderr]).toEqual([0, ""]);
  }
  expect(kills).toBe(KILLS);
  expect(await weightsHash(folder)).toBe(await weightsHash(whole));
  const log = (await readFile(join(folder, "log.jsonl"), "utf8")).trim().split("\n");
  expect(log.map((line) => (JSON.parse(line) as { step: number }).step)).toEqual(
    Array.from({ length: LONG }, (_, i) => i + 1),
  );
  expect(log).toEqual((await readFile(join(whole, "log.jsonl"), "utf8")).trim().split("\n"));
  expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".tmp"))).toEqual([]);
}, 1_800_000);

test("Ctrl-C and SIGTERM save the step they are in and leave; the same command goes on", async () => {
  for (const [signal, whom, code] of [
    ["SIGINT", "group", 130],
    ["SIGTERM", "command", 143],
  ] as const) {
    const name = `stopped-by-${signal}`;
    const first = run(name, "--checkpoint-every", "1000");
    await first.until("step", 5);
    first.signal(signal, whom);
    expect((await first.ended).code).toBe(code);
    const stopped = first.events.at(-1);
    expect(stopped?.kind).toBe("stopped");
    const second = run(name);
    await second.ended;
    expect(second.events.find(({ kind }) => kind === "started")).toMatchObject({
      kind: "started",
      done: first.acknowledged,
      steps: STEPS,
    });
    expect(first.acknowledged).toBeGreaterThanOrEqual(5);
    expect(await weightsHash(join(root, name))).toBe(reference);
  }
}, 600_000);

test("--time stops with its steps saved and a code of its own; the same command goes on", async () => {
  const long = ["--steps", "100000", "--checkpoint-every", "100000"];
  // On a busy machine a short time may be up before the first step.
  let first: ReturnType<typeof run>;
  let seconds = 6;
  do {
    first = run("limited", ...long, "--time", `${seconds}s`);
    expect(await first.ended).toMatchObject({
      code: 124,
      stderr: expect.stringContaining("the same command continues"),
    });
    expect(first.events.at(-1)?.kind).toBe("stopped");
    seconds *= 2;
  } while (first.acknowledged === 0 && seconds < 200);
  expect(first.acknowledged).toBeGreaterThan(0);
  const second = run("limited", ...long, "--time", "1h");
  await second.until("started");
  second.signal("SIGTERM", "command");
  expect((await second.ended).code).toBe(143);
  expect(second.events.find(({ kind }) => kind === "started")).toMatchObject({ done: first.acknowledged });
}, 600_000);

test("signals that come together are one request, as GNU timeout sends them: the step is saved and no lock is left", async () => {
  for (const moment of ["busy", "started", "step"] as const) {
    const first = run(`timeout-${moment}`, "--steps", "100000", "--checkpoint-every", "100000");
    await first.until(moment, moment === "step" ? 5 : 1);
    first.signal("SIGTERM", "command");
    await new Promise((resolve) => setTimeout(resolve, 2));
    first.signal("SIGTERM", "group");
    expect(await first.ended, moment).toEqual({
      code: 143,
      stderr: expect.stringMatching(/^stopped after .*; the same command continues from here\n$/),
    });
    expect(first.acknowledged).toBeGreaterThanOrEqual(moment === "step" ? 5 : 0);
    const left = await readdir(join(root, `timeout-${moment}`)).catch(() => []);
    expect(left, moment).not.toContain("run.lock");
  }
}, 600_000);

test("a run that is done says so; other settings are refused, and so is a folder in use", async () => {
  const again = run("whole");
  expect((await again.ended).code).toBe(0);
  expect(again.events.map(({ kind }) => kind).filter((kind) => kind !== "note" && kind !== "busy")).toEqual([
    "started",
    "finished",
  ]);
  const other = run("whole", "--learning-rate", "0.001");
  expect(await other.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("holds another run: learningRate: 0.001 here, 0.0005 there"),
  });
  // Longer than the other command takes to start, on any machine.
  const long = ["--steps", "100000"];
  const busy = run("busy", ...long);
  await busy.until("step");
  expect(await run("busy", ...long).ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is in use by process"),
  });
  busy.signal("SIGKILL", "group");
  await busy.ended;
}, 600_000);

test("a step that is not finite stops training, keeps nothing of it, and can be replayed", async () => {
  const folder = join(root, "diverging");
  const diverging = run("diverging", "--learning-rate", "1e30", "--checkpoint-every", "1");
  const { code, stderr } = await diverging.ended;
  expect(code).toBe(1);
  const [, bundle] = /what it was given lies in (\S+)/.exec(stderr)!;
  expect(bundle).toMatch(/non-finite-step-\d+$/);
  const step = Number(bundle!.split("-").at(-1));
  // What was saved is from before it, and finite: checkpoints are refused otherwise.
  expect(diverging.acknowledged).toBeLessThan(step);
  const { stdout } = await promisify(execFile)(process.execPath, ["dist/cli/main.js", "replay", bundle!]);
  expect(stdout).toMatch(/(node|input) ".*" float32\[.*\] (is the first to make|holds) -?(NaN|Infinity)/);
  expect(await readdir(folder)).toContain(`non-finite-step-${step}`);
  // The same command meets the same step again, and stops again.
  expect((await run("diverging", "--learning-rate", "1e30", "--checkpoint-every", "1").ended).code).toBe(1);
}, 600_000);

test("a data set with an error in it is refused before anything is written", async () => {
  const data = join(root, "dirty");
  const wrong = dirtyData.find(({ code }) => code === "label-value")!;
  const spec = await makeDirty(data, wrong);
  const refused = new TrainProcess(["--source", spec, "--to", join(root, "never"), "--cache", join(root, "cache")]);
  const { code, stderr } = await refused.ended;
  expect(code).toBe(1);
  expect(stderr).toContain(join(data, wrong.file!));
  expect(await readdir(root)).not.toContain("never");
});
