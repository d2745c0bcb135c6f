import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { trainedGamma } from "./trainedGamma.js";

test("G-8: γ is the mean of the last steps that solved for it, at most a third of them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gamma-"));
  const gammas = [0.9, 0.9, 0.5, 0.7];
  const lines = [{ step: 1, loss: 2 }, ...gammas.map((gamma, i) => ({ step: i + 2, gamma }))];
  await writeFile(join(folder, "log.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { gamma, deviation, steps } = (await trainedGamma(folder))!;
  expect([gamma, deviation, steps]).toEqual([expect.closeTo(0.6), expect.closeTo(0.1), 2]);
  await writeFile(join(folder, "log.jsonl"), '{"step":1,"loss":2}\n');
  expect(await trainedGamma(folder)).toBeNull();
  await rm(folder, { recursive: true });
});
