import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveConfig } from "./config.js";
import { writeFinalGamma } from "./finalGamma.js";
import { meanOfSteps, gammaOfRun } from "./gammaOfRun.js";

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

test("γ that was solved after the training goes before the mean of its steps, and is missed where it should be there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gamma-"));
  await writeFile(join(folder, "log.jsonl"), '{"step":1,"gamma":0.5,"certain":0.25}\n');
  const config = configOf(["scenes:town"], {});
  await expect(gammaOfRun({ folder, config })).rejects.toThrow("has no gamma.json");
  await writeFinalGamma(folder, { version: 1, gamma: 0.75, consistent: 0.5, certain: [0.4, 0.6], weights: "any" });
  expect(await gammaOfRun({ folder, config })).toMatchObject({ gamma: 0.75, certain: [0.4, 0.6] });
  // Ablations that compare no views by prototypes have the mean; the paper's profile has it by definition.
  for (const other of [
    { ablation: "mean-gamma" },
    { ablation: "sym-param" },
    { ablation: "mcd-ssl" },
    { profile: "paper" },
  ])
    expect(await gammaOfRun({ folder, config: configOf(["scenes:town"], {}, other) })).toMatchObject({ gamma: 0.5 });
  await writeFile(join(folder, "gamma.json"), '{"version":1}');
  await expect(gammaOfRun({ folder, config })).rejects.toThrow("gamma.json is not what a training writes");
  await rm(folder, { recursive: true });
});
