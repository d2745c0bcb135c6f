import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeRun } from "../../test/fakeRun.js";
import { finalNetwork } from "../runs/inferenceNetwork.js";
import { openRun } from "../runs/openRun.js";
import { type EvaluateOptions, evaluate, planEvaluation } from "./evaluate.js";

const SIZE = "seed=0&height=32&width=64&classes=cityscapes";
const SOURCE = `scenes:city?split=train&count=6&${SIZE}`;
/** What is guessed to be held out of that source, and another half of it. */
const HELD_OUT = `scenes:city?split=val&count=3&${SIZE}`;
const NEW_PLACE = `scenes:town?split=test&count=3&${SIZE}`;
let root: string;
let run: string;
const notes: string[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "evaluate-"));
  run = join(root, "run");
  await fakeRun(run, SOURCE);
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

const measured = async (on: readonly string[], changes: Partial<EvaluateOptions> = {}) => {
  notes.length = 0;
  const found = await evaluate([run], {
    on,
    cache: join(root, "cache"),
    threads: 1,
    examples: 0,
    onNote: (note) => notes.push(note),
    ...changes,
  });
  return found.map(({ result }) => result);
};

test("nothing is chosen or fitted on images of the test: there settings stay usual; elsewhere they are chosen", async () => {
  const methods = "max-softmax,energy";
  const [home, , away] = await measured([HELD_OUT, NEW_PLACE], { methods });
  expect(home).toMatchObject({ dataset: HELD_OUT, chosen: { by: "fixed", on: null, settings: { temperature: 1 } } });
  expect(away).toMatchObject({ dataset: NEW_PLACE, chosen: { by: "source-val", among: 10 } });
  expect(away!.chosen!.on).toContain("split=val");
  expect(notes.join()).toContain(`${HELD_OUT} has the held-out images of the source`);
  const { runs } = await planEvaluation([run], { on: [HELD_OUT], methods: "all", cache: join(root, "cache") });
  expect(runs[0]!.methods).not.toContain("temperature-scaling");
}, 600_000);

test("choosing on images of the test is refused where it is asked for, and fitting too; best-on-test says so", async () => {
  const asked = measured([HELD_OUT], { methods: "max-softmax", select: "source-val" });
  await expect(asked).rejects.toMatchObject({
    message: expect.stringContaining(`settings would be chosen on images of ${HELD_OUT}, which is measured on`),
    hint: expect.stringContaining("--select best-on-test"),
  });
  await expect(measured([HELD_OUT], { sourceVal: HELD_OUT })).rejects.toThrow("settings would be chosen on images");
  await expect(measured([NEW_PLACE], { sourceVal: SOURCE })).rejects.toThrow("settings are to be chosen on");
  await expect(measured([HELD_OUT], { methods: "temperature-scaling" })).rejects.toThrow("that are not measured on");
  const [best] = await measured([HELD_OUT], { methods: "max-softmax", select: "best-on-test" });
  expect(best!.chosen).toMatchObject({ by: "best-on-test", on: HELD_OUT });
}, 600_000);

test("numbers of the source, and probabilities at a temperature chosen by AUROC, say so", async () => {
  const [home, softmax] = await measured([HELD_OUT, NEW_PLACE], { methods: "max-softmax" });
  expect(home!.remarks).toEqual([expect.stringContaining("images of the source, not of the place")]);
  expect(softmax!.remarks).toEqual([expect.stringContaining("ECE and Brier score are at settings")]);
}, 600_000);

test("a baseline @adapted looks through the weights that training ended with, and has no γ", async () => {
  const methods = "max-softmax,max-softmax@adapted,mahalanobis@adapted,mahalanobis-a@adapted";
  const results = await measured([NEW_PLACE], { methods, select: "fixed" });
  const files = results.map(({ method, network }) => [method, network!.file]);
  expect(files).toEqual([
    ["max-softmax", "stages/1-pretraining.safetensors"],
    ["max-softmax@adapted", "weights.safetensors"],
    ["mahalanobis@adapted", "weights.safetensors"],
    ["mahalanobis-a@adapted", "weights.safetensors"],
  ]);
  expect(results[1]!.network!.fingerprint).toBe(finalNetwork(await openRun(run)).fingerprint);
  expect(results.map(({ atGamma }) => atGamma)).toEqual([null, null, null, null]);
  expect(results[0]!.accuracy).not.toBe(results[1]!.accuracy);
}, 600_000);
