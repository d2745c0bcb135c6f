import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dataset } from "../src/data/datasets/dataset.js";
import { nearestMap, scaledLevels } from "../src/data/images/scale.js";
import type { RgbImage } from "../src/data/images/tensors.js";
import { openDataset } from "../src/data/open/openDataset.js";
import type { BuiltModel } from "../src/deployment/export/buildModel.js";
import { exportableMethod, exportableMethods } from "../src/deployment/export/exportable.js";
import {
  type Baseline,
  baselineReference,
  exportBaseline,
  openBaseline,
  sizeOf,
} from "../src/deployment/export/exportBaseline.js";
import { compareModel, predictionOf, requireParity } from "../src/deployment/export/parity.js";
import { type BaselineInfo, baselineInfoOf, imageProgram, signatureOf } from "../src/deployment/model/modelInfo.js";
import { readModel } from "../src/engine/onnx/readModel.js";
import { nodeRuntime } from "../src/engine/runtime/node.js";
import { scalar } from "../src/engine/tensor/hostTensor.js";
import { random } from "../src/engine/tensor/random.js";
import { baselineRuns } from "../src/evaluation/baselineRuns.js";
import { NetworkNames } from "../src/evaluation/networkNames.js";
import { onePassPredictor } from "../src/evaluation/predictors/onePass.js";
import { prepareContext } from "../src/evaluation/prepare/context.js";
import { fitOrigin } from "../src/inference/fitSaved.js";
import { sizeSeen } from "../src/inference/imageOutputs.js";
import { usualBaselines } from "../src/methods/parts/baselineOptions.js";
import type { OnePassMethod } from "../src/methods/parts/method.js";
import { methodNamed } from "../src/methods/registry.js";
import { openRun } from "../src/runs/openRun.js";
import { saveScorer } from "../src/runs/scorerFile.js";
import { fakeBaseline, fakeRun } from "./fakeRun.js";

const HEIGHT = 32;
const SIZE = `height=${HEIGHT}&width=64`;
const SOURCE = `scenes:city?split=train&count=6&${SIZE}`;
const runtime = nodeRuntime({ threads: 1 });
let root: string;
let source: Dataset;
let validation: Dataset;

const folderOf = (name: string): string => join(root, name);

async function opened(name: string, method: string): Promise<Baseline> {
  const run = await openRun(folderOf(name));
  const given = { runtime, run, source, validation, baselines: usualBaselines, overwrite: false };
  const choosing = { by: "source-val", on: validation, policy: "paper" } as const;
  return openBaseline(
    prepareContext(given, choosing, new NetworkNames(run, usualBaselines)),
    methodNamed(method) as OnePassMethod,
  );
}

async function exported(
  name: string,
  method: string,
): Promise<BuiltModel<BaselineInfo> & { readonly baseline: Baseline }> {
  const baseline = await opened(name, method);
  return { baseline, ...(await exportBaseline({ runtime, device: null }, baseline, source)) };
}

/** Noise, smooth enough to have places that look alike. */
function image(height: number, width: number): RgbImage {
  const { uniform } = random("picture", String(height));
  const waves = Array.from({ length: 3 }, () => [0.05 + 0.2 * uniform(), 0.05 + 0.2 * uniform(), 6 * uniform()]);
  const rgb = Uint8Array.from({ length: height * width * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    const [across, down, shift] = waves[i % 3]!;
    return 128 + 90 * Math.sin(across! * x + down! * y + shift!) + 30 * uniform();
  });
  return { rgb, height, width };
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "export-baselines-"));
  const open = (spec: string): Promise<Dataset> => openDataset(spec, { cache: join(root, "cache") });
  source = await open(SOURCE);
  validation = await open(`scenes:city?split=val&count=6&${SIZE}`);
  const config = await fakeRun(folderOf("run"), SOURCE);
  const networks = baselineRuns(
    config,
    ["mcd-dsl", "mcd-dsl-head", "dum"].map((name) => methodNamed(name)),
    usualBaselines,
  );
  for (const [i, { name, config: own }] of networks.entries()) await fakeBaseline(folderOf("run"), name, own, 10 + i);
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

const baselines = exportableMethods()
  .map(({ name }) => name)
  .filter((name) => name !== "gamma-ssl");

describe.each(baselines)("%s, exported,", (method) => {
  test("gives the classes and the uncertainty of evaluation to 1e-4, at sizes it was not built at", async () => {
    const { baseline, bytes, info } = await exported("run", method);
    const program = await runtime.load(bytes, signatureOf(info));
    const predictor = onePassPredictor(runtime, baseline.network, [baseline.scorer]);
    for (const shown of [image(32, 96), image(101, 75)]) {
      const found = await predictionOf(imageProgram(program, info, "m.onnx"), shown);
      const seen = sizeSeen(shown, HEIGHT);
      const scaled = (await predictor.predict([scaledLevels(shown, seen)]))[0]![0]!;
      const wanted = {
        predicted: nearestMap(scaled.predicted, seen, shown),
        uncertainty: nearestMap(scaled.uncertainty, seen, shown),
      };
      expect(found.uncertainty).toHaveLength(shown.height * shown.width);
      const size = sizeOf(wanted.uncertainty);
      const off = found.uncertainty.map((u, i) => Math.abs(u - wanted.uncertainty[i]!) / size(wanted.uncertainty[i]!));
      expect(off.every((share) => share < 1e-4)).toBe(true);
      expect(new Set(found.uncertainty).size).toBeGreaterThan(100);
      const other = found.predicted.filter((id, i) => id !== wanted.predicted[i]).length;
      expect(other / found.predicted.length).toBeLessThan(1e-3);
    }
    await predictor.close();
    await program.close();
    expect(baselineInfoOf(readModel(bytes, method).metadata, method)).toEqual(info);
    expect(info).toMatchObject({
      method,
      settings: baseline.scorer.settings,
      weights: baseline.network.fingerprint,
    });
  });
});

test("what was fitted and chosen before is taken from the run folder, and not fitted again", async () => {
  const { network } = await opened("run", "temperature-scaling");
  const method = exportableMethod("temperature-scaling") as OnePassMethod;
  const origin = await fitOrigin(method, { network, dataset: validation });
  await saveScorer(folderOf("run"), origin, { tensors: { temperature: scalar(7) }, remarks: ["by hand"] });
  const { info } = await exported("run", "temperature-scaling");
  expect(info).toMatchObject({ settings: { temperature: 7 }, remarks: ["by hand"] });
  const file = join(folderOf("run"), "scorers", "vim.safetensors");
  const fitted = (await stat(file)).mtimeMs;
  const [first, second] = [await exported("run", "vim"), await exported("run", "vim")];
  expect((await stat(file)).mtimeMs).toBe(fitted);
  expect(Buffer.from(first.bytes).equals(second.bytes)).toBe(true);
});

test("settings are those that evaluation chooses, and the model says how", async () => {
  const { info } = await exported("run", "max-softmax");
  expect(info.chosen).toEqual({ by: "source-val", among: 10, on: validation.spec });
  expect(info.network).toBe("stages/1-pretraining.safetensors");
  expect(info.classes[13]).toEqual({ name: "car", colour: [0, 0, 142] });
  expect(info.training).toMatchObject({ source: SOURCE, seed: 0 });
});

test("a model of other weights is refused", async () => {
  await fakeRun(folderOf("other"), SOURCE, 5);
  const { bytes, info } = await exported("run", "energy");
  const program = await runtime.load(bytes, signatureOf(info));
  const reference = baselineReference(await opened("other", "energy"));
  const parity = await compareModel(
    (shown) => predictionOf(imageProgram(program, info, "m.onnx"), shown),
    runtime,
    reference,
    [image(64, 64)],
  );
  await program.close();
  expect(() => requireParity(parity, '"energy" of runs/other')).toThrow(
    /does not give the output of "energy" of runs\/other: .* allowed is 0\.0001/,
  );
});

test("differences count by the size of uncertainty, which is at least 1 and at least that of its image", () => {
  expect([0, -3, 100].map(sizeOf(Float32Array.of(10, -30)))).toEqual([20, 20, 100]);
  expect([0.5, -2].map(sizeOf(Float32Array.of(0.1, 0.2)))).toEqual([1, 2]);
});

test("answers that are no numbers are as far from evaluation as can be", async () => {
  const baseline = await opened("run", "energy");
  const shown = image(64, 64);
  const blind = async () => ({
    predicted: new Uint8Array(64 * 64),
    uncertainty: new Float32Array(64 * 64).fill(Number.NaN),
  });
  const { uncertainty } = await compareModel(blind, runtime, baselineReference(baseline), [shown]);
  expect(uncertainty).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  ["ensemble-pe-5", "it needs several networks"],
  ["ensemble-mi-10", "it needs several networks"],
  ["mc-dropout-pe", "it takes several passes, with dropout on"],
  ["odin", "it needs a gradient with respect to the image"],
  ["mahalanobis-a", "it needs a gradient with respect to the image"],
  ["no-ssl", "--checkpoint 1-pretraining"],
])("%s is refused by name, with the reason and what can be exported", (name, why) => {
  const refused = (): unknown => exportableMethod(name);
  expect(refused).toThrow(`"${name}" cannot be exported: `);
  expect(refused).toThrow(why);
  expect(refused).toThrow("one pass of one network, without a gradient");
  expect(refused).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/^exportable: .*vim.*knn.*gmm.*gamma-ssl$/) }),
  );
});

test("a baseline whose own network was never trained is refused with what trains it", async () => {
  await fakeRun(folderOf("bare"), SOURCE, 6);
  await expect(opened("bare", "dum")).rejects.toThrow('"dum" looks through a network of its own');
});

const gssl = (...words: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words]);

test("gssl export --method writes the model and its card; what only gamma-ssl has is refused", async () => {
  const run = folderOf("run");
  const words = ["export", run, "--cache", join(root, "cache"), "--threads", "1"];
  const { stdout } = await gssl(...words, "--method", "react", "--json");
  const said = JSON.parse(stdout) as { files: { path: string }[]; card: string };
  expect(said.files.map(({ path }) => path)).toEqual([join(run, "model.react.onnx")]);
  const card = await readFile(said.card, "utf8");
  for (const part of ["`react`", "percentile", "| 13 | car |", "`uncertainty`", 'out[] = {"class", "uncertainty"}'])
    expect(card).toContain(part);
  expect(card).not.toContain("similarity");
  for (const [option, message] of [
    [["--method", "mc-dropout-mi"], '"mc-dropout-mi" cannot be exported: it takes several passes'],
    [["--method", "vmi"], 'there is no method "vmi"'],
    [["--method", "energy", "--int8"], `"int8" goes with γ-SSL, not with energy`],
    [["--method", "energy", "--gamma", "t.json"], `"gamma" goes with γ-SSL`],
  ] as const)
    await expect(gssl(...words, ...option)).rejects.toThrow(message);
  const model = said.files[0]!.path;
  await expect(gssl("predict", model, source.items[0]!.image, "--to", join(root, "seen"))).rejects.toThrow(
    'computes "react", which has no γ',
  );
  expect((await readdir(run)).filter((name) => name.startsWith("model."))).toEqual([
    "model.react.json",
    "model.react.md",
    "model.react.onnx",
  ]);
});
