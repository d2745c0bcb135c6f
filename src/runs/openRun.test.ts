import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeTinyRun } from "../../test/tinyRun.js";
import { random } from "../engine/tensor/random.js";
import { writeSafetensors } from "../engine/tensor/safetensors.js";
import { totalSteps } from "./extended.js";
import { configSeal, openRun } from "./openRun.js";
import { writeSealedTensors } from "./sealedTensors.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "run-"));
  await writeTinyRun(folder, { source: "scenes:city", targets: ["scenes:town"], classes: 5 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("F1: 200 flipped bits and cut lengths of the final weights are all refused, wherever they are", async () => {
  const path = join(folder, "weights.safetensors");
  const run = await openRun(folder);
  await writeSealedTensors(path, run.weights, { step: String(totalSteps(run.config)) });
  expect((await openRun(folder)).weights).toEqual(run.weights);
  const bytes = await readFile(path);
  for (let trial = 0; trial < 200; trial++) {
    const draw = random("damage", trial);
    // Every other one in the header and the seal, where a change may go unnoticed more easily.
    const at = draw.below(trial % 2 === 0 ? 400 : bytes.length);
    const hit = trial % 5 === 0 ? bytes.subarray(0, at) : Buffer.from(bytes);
    if (trial % 5 !== 0) hit[at] = hit[at]! ^ (1 << draw.below(8));
    await writeFile(path, hit);
    await expect(openRun(folder), `trial ${trial}, byte ${at}`).rejects.toThrow(`${path}: is damaged`);
  }
});

test("weights without a seal, or of fewer steps than the config has, are refused", async () => {
  const path = join(folder, "weights.safetensors");
  const { weights, config } = await openRun(folder);
  await writeFile(path, writeSafetensors(weights));
  await expect(openRun(folder)).rejects.toThrow(`${path}: is damaged`);
  await writeSealedTensors(path, weights, { step: "7" });
  await expect(openRun(folder)).rejects.toThrow(`its weights have 7 of ${totalSteps(config)}`);
});

test("F1: a config.json that was changed after the training is refused", async () => {
  const [path, weights] = ["config.json", "weights.safetensors"].map((name) => join(folder, name)) as [string, string];
  const run = await openRun(folder);
  const config = await configSeal(folder);
  await writeSealedTensors(weights, run.weights, { step: String(totalSteps(run.config)), config });
  expect((await openRun(folder)).weights).toEqual(run.weights);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(/"temperature":\s*[\d.]+/, '"temperature": 0.5'));
  await expect(openRun(folder)).rejects.toThrow(`${path} is not the one that the weights were trained with`);
  await writeFile(path, text);
  await openRun(folder);
});

test("F9: a folder that is no run, and a damaged config.json, are told apart and named", async () => {
  await expect(openRun(join(folder, "none"))).rejects.toThrow("none has no config.json");
  await expect(openRun(join(folder, "weights.safetensors"))).rejects.toMatchObject({
    message: `${join(folder, "weights.safetensors")} is a file, wanted a run folder`,
    hint: `is it ${folder}?`,
  });
  const path = join(folder, "config.json");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.slice(0, 100));
  await expect(openRun(folder)).rejects.toThrow(`${path}: is not JSON`);
  await writeFile(path, "[1, 2]");
  await expect(openRun(folder)).rejects.toThrow(`${path}: it is not an object of settings`);
  await writeFile(path, text.replace('"gamma-ssl"', '"gamma-sls"'));
  await expect(openRun(folder)).rejects.toThrow(path);
  await writeFile(path, text);
  await rm(join(folder, "weights.safetensors"));
  await expect(openRun(folder)).rejects.toThrow("has no weights.safetensors");
});
