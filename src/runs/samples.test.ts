import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleFile, sampleSteps, writeSample } from "./samples.js";

test("of a long training at most 24 moments are kept, evenly spread, the first and the last among them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "samples-"));
  expect(await sampleSteps(folder)).toEqual([]);
  for (let step = 500; step <= 50_000; step += 500) await writeSample(folder, step, Buffer.from(String(step)));
  await writeFile(join(folder, "samples", "notes.txt"), "somebody's");
  const steps = await sampleSteps(folder);
  expect(steps.length).toBe(24);
  expect([steps[0], steps.at(-1)]).toEqual([500, 50_000]);
  const gaps = steps.slice(1, -1).map((step, i) => step - steps[i]!);
  expect(Math.max(...gaps) / Math.min(...gaps)).toBeLessThanOrEqual(2);
  // A step that is taken again after a restart replaces its own.
  await writeSample(folder, 50_000, Buffer.from("again"));
  expect(await sampleSteps(folder)).toEqual(steps);
  expect((await readdir(join(folder, "samples"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  expect(sampleFile(500)).toBe(join("samples", "step-00000500.jpg"));
  await rm(folder, { recursive: true });
});
