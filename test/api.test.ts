import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportModel, Segmenter, solveThreshold } from "../src/index.js";
import { testImage } from "./folders.js";
import { writeTinyRun } from "./tinyRun.js";

const SOURCE = "scenes:city?split=train&count=2&height=64&width=96";
let root: string;
let run: string;
let shared: { readonly cache: string; readonly threads: number };

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "api-"));
  run = join(root, "run");
  shared = { cache: join(root, "cache"), threads: 1 };
  await writeTinyRun(run, { source: SOURCE, targets: [SOURCE], classes: 19, trace: [{ gamma: 0.9, certain: 0.5 }] });
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("G2: what can be known to fail, fails before prototypes are fitted", async () => {
  const told: string[] = [];
  const watching = { ...shared, onProgress: (what: string) => void told.push(what) };
  await expect(exportModel(run, { ...watching, to: join(root, "model.bin") })).rejects.toThrow("ends in .onnx");
  await expect(exportModel(run, { ...watching, method: "energy", int8: true })).rejects.toThrow(
    '"int8" goes with γ-SSL',
  );
  await expect(exportModel(run, { ...watching, gamma: join(root, "none.json") })).rejects.toThrow("none.json");
  await expect(exportModel(run, { ...watching, on: `${SOURCE}&classes=categories` })).rejects.toThrow(
    "does not have the classes",
  );
  await testImage(96, 64, 1).png().toFile(join(root, "image.png"));
  const unlabelled = `folder:${root}`;
  await expect(solveThreshold(run, { ...watching, target: unlabelled, compareLabels: true })).rejects.toThrow(
    unlabelled,
  );
  expect(told.filter((what) => !/^(drawing|checking)/.test(what))).toEqual([]);
}, 120_000);

test("a signal cancels: the call rejects with an AbortError, and nothing is written", async () => {
  const controller = new AbortController();
  const onProgress = (): void => controller.abort();
  const cancelled = exportModel(run, { ...shared, onProgress, signal: controller.signal });
  await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
  expect((await readdir(run)).filter((name) => name.startsWith("model"))).toEqual([]);
}, 120_000);

test("model.json says what the file holds; a Segmenter reads it from the file, with another γ where one is given", async () => {
  const { files } = await exportModel(run, shared);
  const described = JSON.parse(await readFile(files[0]!.description, "utf8"));
  const bytes = await readFile(join(run, "model.onnx"));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(described).toMatchObject({
    version: 1,
    file: "model.onnx",
    sha256,
    bytes: bytes.length,
    method: "gamma-ssl",
    height: 64,
  });
  const image = join(root, "large.png");
  await testImage(130, 70, 3).png().toFile(image);
  const shares: (number | null)[] = [];
  for (const gamma of [-2, undefined, 2]) {
    const segmenter = await Segmenter.open(bytes, { threads: 1, gamma });
    const { version: _, file: __, bytes: ___, sha256: ____, checks: _____, ...description } = described;
    expect(segmenter.description).toEqual(description);
    const { width, height, classes, uncertainty, certain, certainShare } = await segmenter.segment(image);
    expect([width, height, classes.length, uncertainty.length, certain!.length]).toEqual([130, 70, 9100, 9100, 9100]);
    shares.push(certainShare);
    await segmenter.close();
  }
  expect([shares[0], shares[2]]).toEqual([1, 0]);
  expect(shares[1]).toBeGreaterThan(0);
  expect(shares[1]).toBeLessThan(1);
}, 240_000);

test("a file that is no model of ours is refused with a code", async () => {
  const file = join(root, "notes.onnx");
  await writeFile(file, "not a model");
  await expect(Segmenter.open(file)).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringContaining(file),
  });
});
