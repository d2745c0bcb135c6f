import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportModel } from "../src/deployment/exportModel.js";
import { evaluate } from "../src/evaluation/evaluate.js";
import { studyThreshold } from "../src/experiments/studies/studyThreshold.js";
import { compare, report } from "../src/report/report.js";
import { fingerprintOf } from "../src/runs/fingerprint.js";
import { openRun } from "../src/runs/openRun.js";
import { fakeRun } from "./fakeRun.js";

const SIZE = "height=32&width=64";
const SOURCE = `scenes:city?split=train&count=2&${SIZE}`;
let root: string;
let run: string;
let cache: string;

/** A run as trainings from different seeds would leave it, with the γ of its last step. */
async function trained(seed: number): Promise<void> {
  await fakeRun(run, SOURCE, seed);
  await writeFile(join(run, "log.jsonl"), `${JSON.stringify({ step: 1, gamma: 0.5, certain: 0.5 })}\n`);
}

const tableOf = async (notes: string[] = []): Promise<string[]> =>
  (await compare([run], { onNote: (note) => notes.push(note) })).flatMap(({ rows }) => rows.map(({ label }) => label));

async function cardOf(options: { checkpoint?: string; gamma?: string } = {}): Promise<string> {
  const { card } = await exportModel(run, { ...options, cache, threads: 1 });
  return readFile(card, "utf8");
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "weights-"));
  [run, cache] = [join(root, "run"), join(root, "cache")];
  await trained(0);
  const on = [`scenes:town?split=test&count=2&${SIZE}`];
  await evaluate([run], { on, methods: "entropy,gamma-ssl", select: "fixed", examples: 0, cache, threads: 1 });
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

test("the card of a stage has no result of the weights that the training ended with", async () => {
  expect(await cardOf()).toContain("| gamma-ssl |");
  const stage = await openRun(run, "1-pretraining");
  const gamma = join(root, "threshold.json");
  const certain = { mean: 0.5, deviation: 0.1, lowest: 0.4, images: 2, on: "a test" };
  const known = { version: 1, dataset: "a test", images: 2, gamma: 0.6, interval: null, expectedCertain: certain };
  // Of as many channels as the first stage of the encoder has.
  const channels = stage.weights["encoder.conv1.weight"]!.shape[0]!;
  const imageMeans = [Array.from({ length: channels }, () => 0.1).join(" ")];
  const rest = { imageMeans, rule: { kind: "share", share: 0.5 }, training: null, labelled: null, command: "" };
  const config = stage.config.method === "gamma-ssl" ? stage.config : null;
  const origin = { score: config!.options.score, weights: fingerprintOf(stage.weights) };
  await writeFile(gamma, JSON.stringify({ ...known, ...rest, ...origin }));
  const card = await cardOf({ checkpoint: "1-pretraining", gamma });
  expect(card).not.toContain("| gamma-ssl |");
  expect(card).toContain("| entropy |");
  expect(card).toContain("what this model computes was not measured");
}, 240_000);

test("trained again, a run shows nothing of its former weights: not in a table, a study, a report or a card", async () => {
  expect(await tableOf()).toEqual(["entropy", "gamma-ssl"]);
  await trained(5);
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  await expect(compare([run], { onNote })).rejects.toThrow("no results in it");
  await expect(report([run], { onNote })).rejects.toThrow("no results in it");
  await expect(studyThreshold([run], { onNote })).rejects.toThrow("no results in it");
  const card = await cardOf();
  for (const method of ["entropy", "gamma-ssl"]) expect(card).not.toContain(`| ${method} |`);
  const left = `${run}: 2 results are left out: they are of other weights than it has now; gssl evaluate measures again`;
  expect(notes).toEqual([left, left, left]);
  // The first training once more gives its weights, and they have results.
  await trained(0);
  expect(await tableOf()).toContain("gamma-ssl");
}, 240_000);
