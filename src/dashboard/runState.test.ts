import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunStory } from "../report/runStory.js";
import { placeHere } from "../runs/processes.js";
import { RunLock } from "../runs/runLock.js";
import { judgeRun } from "./runState.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "a run's state-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const story: RunStory = {
  ...{
    run: "a",
    method: "supervised",
    source: "s",
    targets: [],
    weights: null,
    seed: 0,
    departures: [],
    environment: {},
  },
  stages: [{ name: "supervised", steps: 10, images: 2 }],
  solvesGamma: false,
};
const put = async (name: string, text = ""): Promise<void> => {
  await mkdir(join(folder, name, ".."), { recursive: true });
  await writeFile(join(folder, name), text);
};
const judged = (step: number | null, given: RunStory | null = story) => judgeRun(folder, { step, story: given });

test("nothing there, not even the folder: it waits, and says what it waits for", async () => {
  expect(await judged(null, null)).toMatchObject({
    state: "waiting",
    message: "nothing was trained in this folder yet",
  });
  await rm(folder, { recursive: true });
  expect(await judged(null, null)).toMatchObject({
    state: "waiting",
    message: "there is no such folder yet",
    command: `gssl train … --to '${folder.replaceAll("'", "'\\''")}'`,
  });
});

test("a folder that a living process holds is being trained", async () => {
  const lock = await RunLock.take(folder);
  expect(await judged(null)).toMatchObject({ state: "preparing" });
  expect(await judged(4)).toMatchObject({ state: "running", message: "training" });
  expect(await judged(10)).toMatchObject({ state: "running", message: "the last step is done; writing the weights" });
  expect(await judged(10, { ...story, solvesGamma: true })).toMatchObject({ message: expect.stringContaining("γ") });
  await lock!.release();
});

test("finished is who has all steps, weights and γ; more steps that were asked for make it unfinished", async () => {
  await put("weights.safetensors");
  expect(await judged(10)).toMatchObject({ state: "finished", message: "finished after 10 steps" });
  expect((await judged(10)).command).toMatch(/^gssl evaluate '.*' --on …$/);
  expect(await judged(null)).toMatchObject({ state: "finished" });
  expect(await judged(10, { ...story, solvesGamma: true })).toMatchObject({ state: "stopped" });
  await put("gamma.json");
  expect(await judged(10, { ...story, solvesGamma: true })).toMatchObject({ state: "finished" });
  const longer = { ...story, stages: [...story.stages, { name: "extension-1", steps: 5, images: 2 }] };
  expect(await judged(10, longer)).toMatchObject({ state: "ended" });
});

test("stopped, ended by an error and killed are told apart by checkpoint and lock", async () => {
  await put("checkpoints/step-00000004.json");
  expect(await judged(4)).toMatchObject({
    state: "stopped",
    message: "stopped after step 4 of 10; the same command goes on from there",
  });
  expect(await judged(6)).toMatchObject({
    state: "ended",
    message: expect.stringMatching(/after step 6 of 10 by an error.*goes on after step 4, its last checkpoint$/),
  });
  const gone = { pid: 2 ** 22 + 1, born: "1" };
  await put("run.lock", JSON.stringify({ command: gone, trainer: null, place: await placeHere() }));
  expect(await judged(6)).toMatchObject({
    state: "killed",
    message: expect.stringMatching(/process 4194305 exited unexpectedly.*goes on after step 4/),
  });
});

test("a lock of another machine says nothing about the run", async () => {
  const place = { ...(await placeHere()), host: `not-${hostname()}` };
  await put("run.lock", JSON.stringify({ command: { pid: 7, born: "1" }, trainer: null, place }));
  expect(await judged(6)).toMatchObject({
    state: "elsewhere",
    message: expect.stringContaining(`of not-${hostname()}`),
  });
});

test("a step that was not finite is named with its bundle and cause; an older bundle is not", async () => {
  await put("non-finite-step-7/cause.txt", 'node "encoder/conv1" is the first to make NaN\n');
  const { state, message, command } = await judged(6);
  expect([state, message]).toEqual([
    "diverged",
    'step 7 was not finite, and training stopped: node "encoder/conv1" is the first to make NaN',
  ]);
  expect(command).toContain("gssl replay '");
  expect(command).toContain("non-finite-step-7'");
  expect(await judged(8)).toMatchObject({ state: "ended" });
});

test("a lock that another version wrote is not taken for none", async () => {
  await put("run.lock", JSON.stringify({ command: { pid: 7, born: "1" }, trainer: null }));
  expect(await judged(6)).toMatchObject({ state: "unknown", message: expect.stringContaining("another version") });
});

test("a log without a config is shown for what it is", async () => {
  expect(await judged(3, null)).toMatchObject({ state: "unknown" });
});
