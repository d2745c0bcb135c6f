import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { float32, floats } from "../engine/tensor/hostTensor.js";
import { random } from "../engine/tensor/random.js";
import { Checkpoints } from "./checkpoints.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "checkpoints-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const state = (value: number) => ({ "head.weight": float32([2, 3], new Float32Array(6).fill(value)) });
const refuseDamage = (message: string): never => {
  throw new Error(message);
};

test("the newest checkpoint comes back as it was saved; only the last two are kept", async () => {
  const checkpoints = await Checkpoints.open(folder, "run");
  for (const step of [1, 2, 3, 4]) await checkpoints.save({ step, state: state(step) });
  const newest = await (await Checkpoints.open(folder, "run")).newest(refuseDamage);
  expect(newest?.step).toBe(4);
  expect([...floats(newest?.state["head.weight"], "weight")]).toEqual([4, 4, 4, 4, 4, 4]);
  expect((await readdir(folder)).sort()).toEqual(
    [3, 4].flatMap((step) => [`step-0000000${step}.json`, `step-0000000${step}.safetensors`]),
  );
});

test("F12: an empty folder has none, and drafts and tensors without a seal of a killed process are cleared away", async () => {
  const draft = "step-00000001.safetensors.0c7b5c1e-1111-4222-8333-444455556666.tmp";
  await writeFile(join(folder, draft), "half");
  await writeFile(join(folder, "step-00000001.safetensors"), "whole, but its seal was never written");
  const checkpoints = await Checkpoints.open(folder, "run");
  expect(await checkpoints.newest(refuseDamage)).toBeNull();
  expect(await readdir(folder)).toEqual([]);
});

test("120 flipped bytes and cut lengths are all noticed, and the one before is used", async () => {
  const checkpoints = await Checkpoints.open(folder, "run");
  await checkpoints.save({ step: 1, state: state(1) });
  await checkpoints.save({ step: 2, state: state(2) });
  const files = ["step-00000002.safetensors", "step-00000002.json"].map((name) => join(folder, name));
  const originals = await Promise.all(files.map((file) => readFile(file)));
  for (let trial = 0; trial < 120; trial++) {
    const draw = random("damage", trial);
    const which = trial % 2;
    const bytes = Buffer.from(originals[which]!);
    if (trial % 3 === 0) await truncate(files[which]!, draw.below(bytes.length));
    else {
      const at = draw.below(bytes.length - which); // not the seal's last line break, which means nothing
      bytes[at] = bytes[at]! ^ (1 << draw.below(8));
      await writeFile(files[which]!, bytes);
    }
    const told: string[] = [];
    const newest = await checkpoints.newest((message) => told.push(message)).catch((error: Error) => error);
    if (newest instanceof Error)
      expect(newest.message).toContain("other settings"); // the run's hash itself was hit
    else {
      expect([newest?.step, told.length], `trial ${trial}`).toEqual([1, 1]);
      expect(told[0]).toContain("step-00000002");
    }
    await writeFile(files[which]!, originals[which]!);
  }
});

test("damaged checkpoints do not count among those kept", async () => {
  const before = await Checkpoints.open(folder, "run");
  await before.save({ step: 1, state: state(1) });
  const damaged = ["step-00000008", "step-00000009"];
  for (const name of damaged) {
    await writeFile(join(folder, `${name}.safetensors`), "torn");
    await writeFile(join(folder, `${name}.json`), '{"step": 8}');
  }
  const checkpoints = await Checkpoints.open(folder, "run");
  const told: string[] = [];
  expect(await checkpoints.newest((message) => told.push(message))).toMatchObject({ step: 1 });
  expect(told).toHaveLength(2);
  for (const step of [2, 3]) {
    await checkpoints.save({ step, state: state(step) });
    expect(await (await Checkpoints.open(folder, "run")).newest(() => {})).toMatchObject({ step });
  }
  expect((await readdir(folder)).sort()).toEqual(
    [2, 3].flatMap((step) => [`step-0000000${step}.json`, `step-0000000${step}.safetensors`]),
  );
});

test("weights that are not finite are never saved", async () => {
  const checkpoints = await Checkpoints.open(folder, "run");
  await expect(checkpoints.save({ step: 7, state: state(Number.NaN) })).rejects.toThrow(
    'step 7: "head.weight" holds NaN at element 0; not saved',
  );
  expect(await readdir(folder)).toEqual([]);
});

test("a checkpoint of other settings is refused, not passed over", async () => {
  await (await Checkpoints.open(folder, "one")).save({ step: 1, state: state(1) });
  await expect((await Checkpoints.open(folder, "two")).newest(refuseDamage)).rejects.toThrow("other settings");
});

test("once the training has ended, nothing is left of them", async () => {
  const checkpoints = await Checkpoints.open(join(folder, "checkpoints"), "run");
  for (const step of [1, 2]) await checkpoints.save({ step, state: state(step) });
  await checkpoints.clear();
  expect(await readdir(folder)).toEqual([]);
});
