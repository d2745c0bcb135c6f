import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeTinyRun } from "../../../test/tinyRun.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import { openDataset } from "../../data/open/openDataset.js";
import { readModel } from "../../engine/onnx/readModel.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { readSafetensors } from "../../engine/tensor/safetensors.js";
import { type Deployable, deployable } from "../../inference/deployable.js";
import { openRun } from "../../runs/openRun.js";
import { DeployedModel } from "../model/deployedModel.js";
import { descriptionOf } from "../model/modelDescription.js";
import { imageProgram, infoOf, type ModelInfo, metadataOf, signatureOf } from "../model/modelInfo.js";
import type { BuiltModel } from "./buildModel.js";
import { gammaOfTraining } from "./chosenGamma.js";
import { exportRun, gammaReference } from "./exportRun.js";
import { measureModels } from "./measure.js";
import { compareModel, type Parity, predictionOf, requireParity } from "./parity.js";
import { parityImages } from "./parityImages.js";
import { roundingSizes, TOLERANCE } from "./rounding.js";
import { type Precision, variantOf } from "./variants.js";
import { writeExport } from "./writeExport.js";

const runtime = nodeRuntime();
const SOURCE = "scenes:city?split=train&count=4&height=64&width=96";
const TARGET = "scenes:town?split=train&count=3&height=64&width=96";
let root: string;
let source: Dataset;
let target: Dataset;
let ready: Deployable;
let exported: BuiltModel<ModelInfo>;

const run = (name: string): string => join(root, name);
const open = (spec: string): Promise<Dataset> => openDataset(spec, { cache: root });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "export-"));
  const trace = [0.9, 0.9, 0.31, 0.33].map((gamma) => ({ gamma, certain: 0.5 }));
  await writeTinyRun(run("tiny"), { source: SOURCE, targets: [TARGET], classes: 19, trace });
  [source, target] = [await open(SOURCE), await open(TARGET)];
  ready = await deployable(runtime, await openRun(run("tiny")), source);
  const gamma = await gammaOfTraining(ready);
  exported = await exportRun({ runtime, deployable: ready, source, target, gamma });
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("a model is compared with the trained network at every pixel of several sizes, odd ones too", () => {
  const { sizes, pixels, images } = exported.parity;
  const extents = sizes.map((size) => size.split(" x ").map(Number));
  expect(extents).toHaveLength(images);
  expect(extents.flat().some((side) => side % 2 === 1)).toBe(true);
  expect(pixels).toBe(extents.reduce((sum, [height, width]) => sum + height! * width!, 0));
});

test("two classes that tie within rounding do not stop an export, whichever is named", async () => {
  // The prototypes of the first two classes are one and the same, but for rounding.
  const values = floats(ready.prototypes, "prototypes").slice();
  for (let f = 0; f < values.length; f += 19) values[f + 1] = values[f]! * (1 + (f % 2 === 0 ? 6e-8 : -6e-8));
  const tied = { ...ready, prototypes: float32(ready.prototypes.shape, values) };
  const gamma = await gammaOfTraining(ready);
  const { parity } = await exportRun({ runtime, deployable: tied, source, target: null, gamma });
  expect(parity.otherClass.margin).toBeLessThan(1e-6);
});

test("a trained network is exported at a large height, where places among many cells are rounded", async () => {
  const { tensors: weights } = readSafetensors(await readFile("assets/city.safetensors"), "city.safetensors");
  const trained = { network: { width: 0.5, features: 96 }, weights };
  const images = "scenes:city?split=train&count=2&height=480&width=720";
  const tall = { source: images, targets: [TARGET], classes: 19, score: "softmax", height: 480, trained } as const;
  await writeTinyRun(run("tall"), tall);
  const street = await open(images);
  const able = await deployable(runtime, await openRun(run("tall")), street);
  const gamma = await gammaOfTraining(able);
  const { parity } = await exportRun({ runtime, deployable: able, source: street, target: null, gamma });
  expect(parity.sizes[0]).toBe("480 x 720");
  expect(parity.otherClass.pixels).toBeLessThan(10);
});

test("a difference counts as what rounding of cosines makes of it: more at a low temperature and in many cells", () => {
  const soft = { score: "softmax", temperature: 0.07 } as const;
  const small = roundingSizes(soft, { height: 16, width: 16 });
  expect([0, 0.5, 1].map((u) => Math.round(small.uncertainty(u)))).toEqual([1, 9, 1]);
  expect(roundingSizes({ ...soft, score: "cosine" }, { height: 16, width: 16 }).uncertainty(0.5)).toBeCloseTo(1, 1);
  expect(roundingSizes(soft, { height: 480, width: 960 }).uncertainty(0)).toBeCloseTo(3.1, 1);
  // A real softmax, of cosines that are off by 1e-6 in the worst way.
  const cosines = [0.31, 0.27, 0.2, -0.1];
  const largest = (off: number): number => {
    const shares = cosines.map((cosine, k) => Math.exp((cosine + (k === 0 ? off : -off)) / soft.temperature));
    return shares[0]! / shares.reduce((total, share) => total + share, 0);
  };
  const apart = largest(1e-6) - largest(0);
  const slope = small.uncertainty(1 - largest(0)) / small.uncertainty(0) - 1;
  expect(apart / (1e-6 * slope)).toBeCloseTo(1, 3);
});

test("a model made of other weights is refused", async () => {
  await writeTinyRun(run("other"), { source: SOURCE, targets: [TARGET], classes: 19, seed: 2 });
  const other = await deployable(runtime, await openRun(run("other")), source);
  const program = await runtime.load(exported.bytes, signatureOf(exported.info));
  const model = imageProgram(program, exported.info, "m.onnx");
  const images = (await parityImages(source, 64)).slice(0, 1);
  const reference = gammaReference(other, exported.info.gamma);
  const parity = await compareModel((image) => predictionOf(model, image), runtime, reference, images);
  await program.close();
  expect(() => requireParity(parity, "runs/other")).toThrow(
    /does not give the output of runs\/other: .* allowed is 0\.00001/,
  );
});

test("a class may only change where it had next to no lead, and certainty next to γ", () => {
  const fine = { images: 1, pixels: 9, sizes: [], uncertainty: 1e-6, allowed: TOLERANCE };
  const close = { pixels: 1, margin: TOLERANCE / 2 };
  const far = { pixels: 1, margin: TOLERANCE * 2 };
  requireParity({ ...fine, otherClass: close, otherCertain: close }, "run");
  expect(() => requireParity({ ...fine, otherClass: far, otherCertain: close }, "run")).toThrow("another class");
  expect(() => requireParity({ ...fine, otherClass: close, otherCertain: far }, "run")).toThrow("another certainty");
  const lost = { ...fine, uncertainty: Number.POSITIVE_INFINITY, otherClass: close, otherCertain: close };
  expect(() => requireParity(lost, "run")).toThrow("differs by up to Infinity");
});

test("γ, classes, colours, training and the share to expect are in the metadata, and come back from it", async () => {
  const model = await DeployedModel.open(runtime, exported.bytes, "m.onnx");
  await model.close();
  expect(model.info).toEqual(exported.info);
  expect(model.info.gamma).toBeCloseTo(0.32);
  expect(model.info.classes[13]).toEqual({ name: "car", colour: [0, 0, 142] });
  expect(model.info.expectedCertain).toMatchObject({ images: 3, on: expect.stringContaining("scenes:town") });
  expect(model.info.training).toMatchObject({ source: SOURCE, targets: [TARGET], seed: 1 });
  expect(model.info.unseen).toEqual(ready.unseen);
});

test("a model whose metadata name no format, or another one, is refused: it would take images to be scaled already", async () => {
  const { format, ...before } = metadataOf(exported.info);
  expect(format).toBe("2");
  for (const metadata of [before, { ...before, format: "3" }]) {
    expect(() => descriptionOf(metadata, "m.onnx")).toThrow("m.onnx was written by another version, gamma-ssl");
    expect(() => infoOf(metadata, "m.onnx")).toThrow("m.onnx was written by another version, gamma-ssl");
  }
});

test("without images of the target, the share to expect is that of training", async () => {
  const gamma = await gammaOfTraining(ready);
  const { info } = await exportRun({ runtime, deployable: ready, source, target: null, gamma });
  expect(info.expectedCertain).toMatchObject({ mean: 0.5, on: "views in training" });
});

test("variants are smaller, say so, have at most 300 nodes, and answer nearly alike", async () => {
  const precisions: Precision[] = ["float16", "int8"];
  const variants = [];
  for (const precision of precisions)
    variants.push(await variantOf(precision, exported, { runtime, calibration: source }));
  const models = [];
  for (const { bytes, info } of [exported, ...variants]) {
    expect(readModel(bytes, info.precision).nodes).toBeLessThanOrEqual(300);
    models.push(await DeployedModel.open(runtime, bytes, info.precision));
  }
  const [half, bytes] = variants.map((variant) => variant.bytes.length / exported.bytes.length);
  expect(half).toBeLessThan(0.75);
  expect(bytes).toBeLessThan(half!);
  const classes = { ...source.labelling!.classes, classes: source.labelling!.classes.classes.toReversed() };
  const turned = { ...source, labelling: { ...source.labelling!, classes } };
  await expect(measureModels(models, turned)).rejects.toThrow("in another order");
  const measured = await measureModels(models, source);
  for (const model of models) await model.close();
  expect(measured.map(({ precision }) => precision)).toEqual(["float32", "float16", "int8"]);
  expect(measured[0]).toMatchObject({ sameClass: 1, sameCertain: 1 });
  expect(measured[1]!.sameClass).toBeGreaterThan(0.99);
  expect(measured[2]!.sameClass).toBeGreaterThan(0.8);
});

test("files and card are written beside each other", async () => {
  const variant = await variantOf("int8", exported, { runtime, calibration: source });
  const to = join(root, "out", "street.onnx");
  const contents = { measured: null, results: [], command: "gssl export" };
  const { files, card } = await writeExport(to, [exported, variant], contents);
  expect(files.map(({ name }) => name)).toEqual(["street.onnx", "street.int8.onnx"]);
  const text = await readFile(card, "utf8");
  for (const said of ["γ = 0.32", "| 13 | car |", "onnxruntime.InferenceSession", "scenes:town", "street.int8.onnx"])
    expect(text).toContain(said);
  // Each file was compared by itself: eight bits are further from the trained network than rounding.
  const checks = await Promise.all(
    files.map(async ({ description }) => JSON.parse(await readFile(description, "utf8")).checks as Parity),
  );
  expect(checks[0]).toEqual(exported.parity);
  const reference = gammaReference(ready, exported.info.gamma);
  const program = await runtime.load(variant.bytes, signatureOf(variant.info));
  const images = await parityImages(source, exported.info.height);
  const model = imageProgram(program, variant.info, "m.onnx");
  const found = await compareModel((image) => predictionOf(model, image), runtime, reference, images);
  await program.close();
  expect(checks[1]).toEqual({ ...found, allowed: null });
  expect(checks[1]!.uncertainty).toBeGreaterThan(100 * checks[0]!.uncertainty);
  expect(text).toContain(`\`street.int8.onnx\`: uncertainty differs by at most ${found.uncertainty.toExponential(1)}`);
  await expect(writeExport(join(root, "model.bin"), [exported], contents)).rejects.toThrow("ends in .onnx");
});

test("a supervised run, and one whose γ belongs to its head, are refused", async () => {
  const tiny = await openRun(run("tiny"));
  const { source: spec, view, seed } = ready.config;
  const network = {
    outputStride: 16,
    asppDropout: 0,
    encoderDropout: 0,
    spectralNorm: "off",
    width: 0.125,
    features: 16,
  };
  const supervised = {
    ...tiny,
    config: { method: "supervised", source: spec, view, seed, network },
  } as unknown as typeof tiny;
  await expect(deployable(runtime, supervised, source)).rejects.toThrow('was trained by "supervised"');
  const branches = { target: "head", query: "head" } as const;
  const headed = { ...tiny, config: { ...ready.config, options: { ...ready.config.options, branches } } };
  await expect(deployable(runtime, headed, source)).rejects.toThrow("belongs to its head");
});

test("a run without a second stage has no γ to export", async () => {
  await writeTinyRun(run("first-stage"), { source: SOURCE, targets: [TARGET], classes: 19, trace: [] });
  const early = { ...ready, run: await openRun(run("first-stage")) };
  await expect(gammaOfTraining(early)).rejects.toThrow("solved for γ");
});

test("weights are asked for by name", async () => {
  await expect(openRun(run("tiny"), "3-adaptation")).rejects.toThrow('has no weights called "3-adaptation"');
});
