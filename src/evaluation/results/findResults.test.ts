import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../../../test/folders.js";
import { float32 } from "../../engine/tensor/hostTensor.js";
import { writeSafetensors } from "../../engine/tensor/safetensors.js";
import { makeFolder } from "../../platform/files.js";
import { BLANK_SEAL, seal } from "../../platform/seal.js";
import { fingerprintOf, togetherFingerprint } from "../../runs/fingerprint.js";
import { writeSealedTensors } from "../../runs/sealedTensors.js";
import { PixelCounter } from "../pixelCounter.js";
import { findResults } from "./findResults.js";
import { writeResult } from "./writeResult.js";

const weightsOf = (value: number) => ({ layer: float32([1], [value]) });
const fingerprint = (...values: number[]): string =>
  togetherFingerprint(values.map((value) => fingerprintOf(weightsOf(value))));

const LAST = "weights.safetensors";
const FIRST = "stages/1-pretraining.safetensors";
const MEMBERS = ["baselines/member-1/weights.safetensors", "baselines/member-2/weights.safetensors"] as const;

async function writeWeights(run: string, file: string, value: number): Promise<void> {
  await makeFolder(join(run, file, ".."));
  await writeSealedTensors(join(run, file), weightsOf(value));
}

/** A run whose weights are 1 (last), 2 (first stage) and 3 and 4 (members), with a result of each, and one of nobody's weights. */
async function measuredRun(root: string): Promise<string> {
  const run = join(root, "run");
  for (const [i, file] of [LAST, FIRST, ...MEMBERS].entries()) await writeWeights(run, file, i + 1);
  await writeFile(join(run, "config.json"), "{}");
  const results = {
    "gamma-ssl": { file: LAST, fingerprint: fingerprint(1) },
    "no-ssl": { file: FIRST, fingerprint: fingerprint(2) },
    ensemble: { file: MEMBERS.join(", "), fingerprint: fingerprint(3, 4) },
    theirs: undefined,
  };
  for (const [method, network] of Object.entries(results)) {
    await writeResult(run, {
      ...new PixelCounter({ classes: 2, policy: "paper" }).finish(),
      ...{ dataset: "town", method, classes: [], policy: "paper", command: "", seeds: {}, environment: {} },
      ...(network && { network }),
    });
  }
  return run;
}

async function shown(run: string, weights?: string): Promise<{ methods: string[]; notes: string[] }> {
  const notes: string[] = [];
  const found = await findResults(run, (note) => notes.push(note), weights);
  return { methods: found.map(({ result }) => result.method), notes };
}

test("all results of the weights that a run holds are shown, and those that name no weights", () =>
  withFolder(async (root) => {
    const run = await measuredRun(root);
    const all = ["ensemble", "gamma-ssl", "no-ssl", "theirs"];
    expect(await shown(run)).toEqual({ methods: all, notes: [] });
    expect(await shown(join(run, "results", "town", "gamma-ssl.json"))).toEqual({ methods: ["gamma-ssl"], notes: [] });
    // Weights of an earlier version do not say what they are: they are read.
    await writeFile(join(run, LAST), seal(writeSafetensors(weightsOf(1), { seal: BLANK_SEAL })));
    expect(await shown(run)).toEqual({ methods: all, notes: [] });
  }));

test("results of weights that were trained over are left out, and that is said", () =>
  withFolder(async (root) => {
    const run = await measuredRun(root);
    const left = (count: string): string =>
      `${run}: ${count} of other weights than it has now; gssl evaluate measures again`;
    // More steps: the first stage is as it was.
    await writeWeights(run, LAST, 10);
    expect(await shown(run)).toEqual({
      methods: ["ensemble", "no-ssl", "theirs"],
      notes: [left("1 result is left out: it is")],
    });
    // Trained anew: the first stage is another, too.
    await writeWeights(run, FIRST, 20);
    expect(await shown(run)).toEqual({
      methods: ["ensemble", "theirs"],
      notes: [left("2 results are left out: they are")],
    });
    await writeWeights(run, MEMBERS[1], 40);
    expect((await shown(run)).methods).toEqual(["theirs"]);
    const file = join(run, "results", "town", "gamma-ssl.json");
    expect((await shown(file)).methods).toEqual([]);
  }));

test("while a run is trained again, nothing of its own weights is shown; networks of baselines may be gone", () =>
  withFolder(async (root) => {
    const run = await measuredRun(root);
    for (const name of [LAST, "stages", "baselines"]) await rm(join(run, name), { recursive: true });
    expect((await shown(run)).methods).toEqual(["ensemble", "theirs"]);
    // Results that somebody put into a folder of their own are taken as they are.
    await rm(join(run, "config.json"));
    expect((await shown(run)).methods).toEqual(["ensemble", "gamma-ssl", "no-ssl", "theirs"]);
  }));

test("for the weights of a stage, results of those it ended with are another model's", () =>
  withFolder(async (root) => {
    const run = await measuredRun(root);
    expect((await shown(run, fingerprint(1))).methods).toContain("gamma-ssl");
    expect(await shown(run, fingerprint(2))).toEqual({
      methods: ["ensemble", "no-ssl", "theirs"],
      notes: [`${run}: 1 result is left out: it is of other weights than these; gssl evaluate measures again`],
    });
  }));

test("a run that began with the weights of another has a copy of them, by which its results are told", () =>
  withFolder(async (root) => {
    const run = await measuredRun(root);
    const result = join(run, "results", "town", "vim.json");
    await writeResult(run, {
      ...new PixelCounter({ classes: 2, policy: "paper" }).finish(),
      ...{ dataset: "town", method: "vim", classes: [], policy: "paper", command: "", seeds: {}, environment: {} },
      network: { file: "runs/source/weights.safetensors", fingerprint: fingerprint(5) },
    });
    await writeWeights(run, "stages/0-start.safetensors", 5);
    expect((await shown(result)).methods).toEqual(["vim"]);
    await writeWeights(run, "stages/0-start.safetensors", 6);
    expect((await shown(result)).methods).toEqual([]);
  }));
