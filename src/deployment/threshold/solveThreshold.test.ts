import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { idMap, testImage, writeFiles } from "../../../test/folders.js";
import { writeTinyRun } from "../../../test/tinyRun.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import { unlabelled } from "../../data/datasets/spec.js";
import { readScaled } from "../../data/loader/readScaled.js";
import { openDataset } from "../../data/open/openDataset.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { type Deployable, deployable } from "../../inference/deployable.js";
import { viewSketches } from "../../inference/viewSketches.js";
import { countsAt } from "../../metrics/atThreshold.js";
import { pixelsOf } from "../../metrics/sketch.js";
import { writeFinalGamma } from "../../runs/finalGamma.js";
import { fingerprintOf } from "../../runs/fingerprint.js";
import { openRun } from "../../runs/openRun.js";
import { gammaOfFile } from "../export/chosenGamma.js";
import { exportRun } from "../export/exportRun.js";
import type { ThresholdFile } from "../export/thresholdFile.js";
import { certainShare, DeployedModel } from "../model/deployedModel.js";
import { solveThreshold, type ThresholdRequest } from "./solveThreshold.js";
import { thresholdFor } from "./thresholdFor.js";
import { writeThreshold } from "./writeThreshold.js";

const runtime = nodeRuntime();
const SOURCE = "scenes:city?split=train&count=4&height=64&width=96";
let root: string;
let source: Dataset;
let images: Dataset;
let ready: Deployable;
let request: ThresholdRequest;
let solved: ThresholdFile;

const open = (spec: string): Promise<Dataset> => openDataset(spec, { cache: root });
const withLabels = (): string => `folder:${join(root, "images")}?images=img&labels=gt&classes=cityscapes-train-ids`;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "threshold-"));
  const trace = [{ gamma: 0.5, certain: 0.4 }];
  await writeTinyRun(join(root, "run"), { source: SOURCE, targets: [SOURCE], classes: 19, trace });
  source = await open(SOURCE);
  for (let i = 0; i < 3; i++) {
    await writeFiles(join(root, "images"), {
      [`img/${i}.png`]: await readFile(source.items[i]!.image),
      // Labels that cannot be read: opening them fails.
      [`gt/${i}.png`]: Buffer.from("no image"),
    });
  }
  images = await open(unlabelled(withLabels()));
  ready = await deployable(runtime, await openRun(join(root, "run")), source);
  const rule = { kind: "consistency", views: 2, seed: 0 } as const;
  request = { runtime, deployable: ready, source, images, rule, labelled: null, command: "gssl threshold" };
  solved = await solveThreshold(request);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Pixels that two views share: how many there are, how many are consistent, and how many certain at γ; counted from sketches. */
async function countedViews(own: Deployable, gamma: number) {
  const { total } = await viewSketches(runtime, own, images, { views: 2, seed: 0 });
  const { guess } = countsAt(total, -gamma);
  return { pixels: pixelsOf(total), consistent: total.rights, certain: guess.tp + guess.fp };
}

test("at γ as many pixels of the views are certain as are consistent, and labels beside the images were not opened", async () => {
  const { rule, interval, gamma } = solved;
  if (rule.kind !== "consistency") throw new Error("another rule");
  const { pixels, consistent, certain } = await countedViews(ready, gamma);
  expect(consistent).toBeGreaterThan(0);
  expect(rule.consistent).toBe(consistent / pixels);
  expect(Math.abs(certain - consistent) / pixels).toBeLessThan(1e-3);
  expect(rule.certain).toBeCloseTo(certain / pixels, 12);
  expect(interval!.low).toBeLessThanOrEqual(gamma);
  expect(interval!.high).toBeGreaterThanOrEqual(gamma);
  expect(solved).toMatchObject({ images: 3, labelled: null, remarks: [], training: { gamma: 0.5 } });
});

test("where γ is solved over whole images, these are as certain as views are consistent, and the share in views is counted", async () => {
  const folder = join(root, "whole");
  await writeTinyRun(folder, { source: SOURCE, targets: [SOURCE], classes: 19, solvesFinalGamma: true, trace: [] });
  const run = await openRun(folder);
  const final = { gamma: 0.5, consistent: 0.4, certain: [0.4], weights: fingerprintOf(run.weights) };
  await writeFinalGamma(folder, { version: 2, ...final });
  const own = await deployable(runtime, run, source);
  const { rule, gamma, expectedCertain } = await solveThreshold({ ...request, deployable: own });
  if (rule.kind !== "consistency") throw new Error("another rule");
  const { pixels, consistent, certain } = await countedViews(own, gamma);
  expect(rule.consistent).toBe(consistent / pixels);
  expect(expectedCertain.mean).toBeCloseTo(rule.consistent, 2);
  expect(rule.certain).toBeCloseTo(certain / pixels, 12);
  expect(rule.certain).not.toBeCloseTo(rule.consistent, 3);
});

test("a threshold for images of the training says so, and so does one compared with labels of the same images", async () => {
  const folder = join(root, "seen");
  await writeTinyRun(folder, { source: SOURCE, targets: [withLabels()], classes: 19 });
  const { threshold, card } = await thresholdFor(folder, {
    target: `folder:${root}/images/img`,
    cache: root,
    threads: 1,
  });
  expect(threshold.remarks).toHaveLength(2);
  expect(threshold.remarks[0]).toMatch(/^the run was trained on 3 of these 3 images \(labelled: scenes:city/);
  expect(threshold.remarks[1]).toMatch(/^the run was trained on 3 of these 3 images \(unlabelled: folder:/);
  expect(await readFile(card, "utf8")).toContain(`Note: ${threshold.remarks[1]}.`);
});

test("the same images and seed give the same threshold, another seed other views", async () => {
  expect(await solveThreshold(request)).toEqual(solved);
  const other = await solveThreshold({ ...request, rule: { kind: "consistency", views: 2, seed: 1 } });
  expect(other.gamma).not.toBe(solved.gamma);
});

test("a share that is asked for is what the model will call certain", async () => {
  const half = await solveThreshold({ ...request, rule: { kind: "share", share: 0.5 } });
  expect(half.expectedCertain.mean).toBeCloseTo(0.5, 2);
  expect(half).toMatchObject({ interval: null, rule: { kind: "share", share: 0.5 } });
});

test("against labels: certain pixels of all, and right ones of the certain, over images", async () => {
  await expect(solveThreshold({ ...request, labelled: await open(withLabels()) })).rejects.toThrow("gt/0.png");
  // Labels made of the model's own predictions: right exactly where it is certain.
  const rule = { kind: "share", share: 0.5 } as const;
  const { gamma, expectedCertain } = await solveThreshold({ ...request, rule });
  const chosen = { gamma, from: "a test", certain: expectedCertain, place: null };
  const { bytes } = await exportRun({ runtime, deployable: ready, source, target: null, gamma: chosen });
  const model = await DeployedModel.open(runtime, bytes, "m.onnx");
  const shares: number[] = [];
  for (const [i, item] of images.items.entries()) {
    const { predicted, certain, width, height } = await model.predict(await readScaled(images, item, 64));
    const truth = predicted.map((id, pixel) => (certain[pixel] === 1 ? id : (id + 1) % 19));
    await writeFiles(join(root, "own"), {
      [`img/${i}.png`]: await readFile(item.image),
      [`gt/${i}.png`]: idMap(width, height, Array.from(truth)),
    });
    shares.push(certainShare({ certain }));
  }
  await model.close();
  const labelled = await open(`folder:${root}/own?images=img&labels=gt&classes=cityscapes-train-ids`);
  const { labelled: found, remarks } = await solveThreshold({ ...request, rule, labelled });
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  expect(mean).toBeCloseTo(0.5, 2);
  expect(remarks).toEqual(["γ was solved on these same images, without their labels"]);
  expect(found).toMatchObject({ images: 3, precision: { value: 1, interval: { low: 1, high: 1 } } });
  expect(found!.coverage.value).toBeCloseTo(mean, 10);
  expect(found!.accuracy.value).toBeCloseTo(mean, 10);
});

test("labels of the same classes in another order, or none, are refused before anything is computed", async () => {
  const told: string[] = [];
  const onProgress = (what: string): void => void told.push(what);
  const { labelling } = source;
  const classes = { ...labelling!.classes, classes: labelling!.classes.classes.toReversed() };
  const turned = { ...source, labelling: { ...labelling!, classes } };
  await expect(solveThreshold({ ...request, labelled: turned, onProgress })).rejects.toThrow("in another order");
  await expect(solveThreshold({ ...request, labelled: images, onProgress })).rejects.toThrow("has no labels");
  expect(told).toEqual([]);
});

test("labels that say nothing have no precision, but do not stop anything", async () => {
  const voids = join(root, "voids");
  for (let i = 0; i < 2; i++) {
    await writeFiles(voids, {
      [`img/${i}.png`]: await testImage(96, 64, i).png().toBuffer(),
      [`gt/${i}.png`]: idMap(96, 64, 255),
    });
  }
  const spec = `folder:${voids}?images=img&labels=gt&classes=cityscapes-train-ids`;
  const labelled = await open(spec);
  const { labelled: found } = await solveThreshold({ ...request, images: await open(unlabelled(spec)), labelled });
  expect(found!.precision).toEqual({ value: null, interval: null });
});

test("images of one colour have a threshold, too", async () => {
  const flat = join(root, "flat");
  const grey = testImage(96, 64).flatten().linear(0, 90);
  await writeFiles(flat, { "a.png": await grey.png().toBuffer() });
  const { gamma, expectedCertain } = await solveThreshold({ ...request, images: await open(`folder:${flat}`) });
  expect(Number.isFinite(gamma) && Number.isFinite(expectedCertain.mean)).toBe(true);
});

test("γ goes into a model with what it means there, and not into one of other weights", async () => {
  const { file, card } = await writeThreshold(join(root, "run"), solved);
  expect(await readFile(card, "utf8")).toContain(`γ = ${solved.gamma.toFixed(4)}`);
  const gamma = await gammaOfFile(file, ready);
  const { info } = await exportRun({ runtime, deployable: ready, source, target: null, gamma });
  expect(info).toMatchObject({
    gamma: solved.gamma,
    gammaFrom: solved.dataset,
    expectedCertain: solved.expectedCertain,
  });
  await writeTinyRun(join(root, "other"), { source: SOURCE, targets: [SOURCE], classes: 19, seed: 7 });
  const other = await deployable(runtime, await openRun(join(root, "other")), source);
  await expect(gammaOfFile(file, other)).rejects.toThrow("was solved for other weights");
});

test("data sets whose names differ in odd characters alone have a file each; solved again, the same one", async () => {
  const [one, two] = ["folder:/a b", "folder:/a?b"].map((dataset) => ({ ...solved, dataset })) as [
    typeof solved,
    typeof solved,
  ];
  const files = [];
  for (const threshold of [one, two, one, two]) files.push((await writeThreshold(join(root, "slugs"), threshold)).file);
  expect(new Set(files.slice(0, 2)).size).toBe(2);
  expect(files.slice(2)).toEqual(files.slice(0, 2));
  expect(JSON.parse(await readFile(files[0]!, "utf8")).dataset).toBe("folder:/a b");
});

test("a file that is no threshold is refused by name and field", async () => {
  const file = join(root, "odd.json");
  await expect(gammaOfFile(file, ready)).rejects.toThrow("odd.json: is not there");
  await writeFile(file, "{");
  await expect(gammaOfFile(file, ready)).rejects.toThrow("odd.json: is not JSON");
  await writeFile(file, JSON.stringify({ ...solved, gamma: "high" }));
  await expect(gammaOfFile(file, ready)).rejects.toThrow(/odd\.json: .*gamma/);
});
