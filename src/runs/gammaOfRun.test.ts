import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { float32, type Tensors } from "../engine/tensor/hostTensor.js";
import { sealedJson } from "../platform/seal.js";
import { resolveConfig } from "./config.js";
import { type FinalGamma, writeFinalGamma } from "./finalGamma.js";
import { fingerprintOf } from "./fingerprint.js";
import { gammaOfRun, meanOfSteps } from "./gammaOfRun.js";

const configOf = (targets: string[], training: object, more: object = {}) =>
  resolveConfig({ method: "gamma-ssl", source: "scenes:city", targets, ...more, options: { training } });

test("G-8: γ is the mean of the last steps that solved for it, at most a third of them, and all in the last place", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gamma-"));
  const config = configOf(["scenes:town"], { pretraining: 1, adaptation: 4, warmUp: 0 });
  const gammas = [0.9, 0.9, 0.5, 0.7];
  const lines = [{ step: 1, loss: 2 }, ...gammas.map((gamma, i) => ({ step: i + 2, gamma }))];
  await writeFile(join(folder, "log.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { gamma, deviation, steps } = (await meanOfSteps({ folder, config }))!;
  expect([gamma, deviation, steps]).toEqual([expect.closeTo(0.6), expect.closeTo(0.1), 2]);

  const places = ["scenes:town", "scenes:forest"];
  const short = configOf(places, { pretraining: 3, adaptation: 1, warmUp: 0 });
  expect(await meanOfSteps({ folder, config: short })).toMatchObject({ gamma: 0.7, steps: 1 });

  await writeFile(join(folder, "log.jsonl"), '{"step":1,"loss":2}\n');
  expect(await meanOfSteps({ folder, config })).toBeNull();
  await rm(folder, { recursive: true });
});

const settled = (weights: Tensors): FinalGamma => ({
  version: 2,
  gamma: 0.75,
  consistent: 0.5,
  certain: [0.4, 0.6],
  weights: fingerprintOf(weights),
});

test("F1: γ of other weights is refused, and so is a gamma.json with a single bit changed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gamma-"));
  const config = configOf(["scenes:town"], {});
  const weights = { "head.bias": float32([2], Float32Array.of(1, 2)) };
  await writeFinalGamma(folder, settled(weights));
  const others = { "head.bias": float32([2], Float32Array.of(1, 3)) };
  await expect(gammaOfRun({ folder, config, weights: others })).rejects.toThrow("belongs to other weights");
  const path = join(folder, "gamma.json");
  const bytes = await readFile(path);
  for (let bit = 0; bit < 8 * (bytes.length - 1); bit++) {
    const hit = Buffer.from(bytes);
    hit[bit >> 3] = hit[bit >> 3]! ^ (1 << (bit & 7));
    await writeFile(path, hit);
    await expect(gammaOfRun({ folder, config, weights }), `bit ${bit}`).rejects.toThrow(path);
  }
  for (let length = 0; length < bytes.length - 1; length += 7) {
    await writeFile(path, bytes.subarray(0, length));
    await expect(gammaOfRun({ folder, config, weights }), `length ${length}`).rejects.toThrow(path);
  }
  await writeFile(path, JSON.stringify(settled(weights)));
  await expect(gammaOfRun({ folder, config, weights })).rejects.toThrow(`${path}: is damaged`);
  await rm(folder, { recursive: true });
});

test("F9: a damaged line of the log is named; one that a power cut tore off at the end is left out", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gamma-"));
  const config = configOf(["scenes:town"], {});
  await writeFile(join(folder, "log.jsonl"), '{"step":1,"gamma":0.5}\n{"step":2,"gam');
  expect(await meanOfSteps({ folder, config })).toMatchObject({ gamma: 0.5, steps: 1 });
  await writeFile(join(folder, "log.jsonl"), '{"step":1,"gamma":0.5}\n{"ste\n{"step":3,"gamma":0.5}\n');
  await expect(meanOfSteps({ folder, config })).rejects.toThrow(`${join(folder, "log.jsonl")}, line 2: is not JSON`);
  await rm(folder, { recursive: true });
});

test("γ that was solved after the training goes before the mean of its steps, and is missed where it should be there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gamma-"));
  await writeFile(join(folder, "log.jsonl"), '{"step":1,"gamma":0.5,"certain":0.25}\n');
  const config = configOf(["scenes:town"], {});
  const weights = { "head.bias": float32([2], Float32Array.of(1, 2)) };
  await expect(gammaOfRun({ folder, config, weights })).rejects.toThrow("has no gamma.json");
  await writeFinalGamma(folder, settled(weights));
  expect(await gammaOfRun({ folder, config, weights })).toMatchObject({ gamma: 0.75, certain: [0.4, 0.6] });
  // Ablations that compare no views by prototypes have the mean; the paper's profile has it by definition.
  for (const other of [
    { ablation: "mean-gamma" },
    { ablation: "sym-param" },
    { ablation: "mcd-ssl" },
    { profile: "paper" },
  ])
    expect(await gammaOfRun({ folder, weights, config: configOf(["scenes:town"], {}, other) })).toMatchObject({
      gamma: 0.5,
    });
  await writeFile(join(folder, "gamma.json"), sealedJson({ version: 2 }));
  await expect(gammaOfRun({ folder, config, weights })).rejects.toThrow(
    `${join(folder, "gamma.json")}: gamma is missing, wanted a number`,
  );
  await rm(folder, { recursive: true });
});
