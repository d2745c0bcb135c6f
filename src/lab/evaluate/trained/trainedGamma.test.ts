import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveConfig } from "../../train/config.js";
import { trainedGamma } from "./trainedGamma.js";

const configOf = (targets: string[], training: object) =>
  resolveConfig({ method: "gamma-ssl", source: "scenes:city", targets, options: { training } });

test("G-8: γ is the mean of the last steps that solved for it, at most a third of them, and all in the last place", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gamma-"));
  const config = configOf(["scenes:town"], { steps: 5, pretrainShare: 0.2, warmUp: { share: 0 } });
  const gammas = [0.9, 0.9, 0.5, 0.7];
  const lines = [{ step: 1, loss: 2 }, ...gammas.map((gamma, i) => ({ step: i + 2, gamma }))];
  await writeFile(join(folder, "log.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { gamma, deviation, steps } = (await trainedGamma({ folder, config }))!;
  expect([gamma, deviation, steps]).toEqual([expect.closeTo(0.6), expect.closeTo(0.1), 2]);

  const places = ["scenes:town", "scenes:forest"];
  const short = configOf(places, { steps: 4, pretrainShare: 0.25, warmUp: { share: 0.7 } }); // 1, 2, then 1 + 1
  expect(await trainedGamma({ folder, config: short })).toMatchObject({ gamma: 0.7, steps: 1 });

  await writeFile(join(folder, "log.jsonl"), '{"step":1,"loss":2}\n');
  expect(await trainedGamma({ folder, config })).toBeNull();
  await rm(folder, { recursive: true });
});
