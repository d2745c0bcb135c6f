import * as ort from "onnxruntime-web";
import { beforeAll, describe, expect, test } from "vitest";
import { type Graph, nodesOf } from "../../engine/graph/graph.js";
import { constant, input } from "../../engine/graph/value.js";
import { writeModel } from "../../engine/onnx/writeModel.js";
import { foldConvs } from "../../engine/ops/foldConvs.js";
import { mean } from "../../engine/ops/reduce.js";
import { reshape } from "../../engine/ops/shaping.js";
import { bindInputs } from "../../engine/runtime/bindInputs.js";
import { compile } from "../../engine/runtime/compile.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { webRuntime } from "../../engine/runtime/web.js";
import { float32, floats, type HostTensor, hostTensor } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { size } from "../../engine/tensor/shape.js";
import { cropTo, mirroredTo } from "../../networks/models/anySize.js";
import { restingPass } from "../../networks/nn/pass.js";
import { Scope } from "../../networks/nn/scope.js";
import { startOf } from "../../networks/optim/trainStep.js";
import { deployedSignature } from "../deployed.js";
import { answersOf } from "../scorer.js";
import { deployedGraph } from "./deployed.js";
import { GammaNetwork } from "./network.js";
import { type GammaOptions, paper, small } from "./options.js";
import { prototypeScorer } from "./scorer.js";

ort.env.wasm.numThreads = 1;
const CLASSES = 5;
/** No picture of the source had it, so it has no prototype. */
const UNSEEN = 3;
const [FEATURES, EMBEDDING] = [16, 8];
const GAMMA = 0.4;
const HEAD_BIAS = "segmentation_head.0.bias";
const normalisation = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
const shape = {
  outputStride: 16,
  asppDropout: 0,
  features: FEATURES,
  projectionWidth: EMBEDDING / FEATURES,
  width: 0.125,
  hiddenLayers: 1,
} as const;
const runtime = nodeRuntime();

/** A network whose statistics are not those of a fresh one, so that folding them in changes something. */
function drawnNetwork(): { network: GammaNetwork; weights: Record<string, HostTensor> } {
  const scope = new Scope();
  const network = new GammaNetwork(scope, { ...shape, classes: CLASSES });
  const weights = scope.params.map((param) => {
    const start = startOf(param)(1);
    if (start.shape.length > 1) return [param.path, start] as const;
    const { uniform } = random("deployed", param.path);
    const positive = /running_var|bn.*weight|\.1\.weight/.test(param.path);
    const values = Array.from({ length: size(start.shape) }, () => (positive ? 0.5 : -0.3) + uniform());
    return [param.path, float32(start.shape, values)] as const;
  });
  return { network, weights: Object.fromEntries(weights) };
}

/** Columns of length 1, and one of zeros. */
function drawnPrototypes(): HostTensor {
  const { normal } = random("prototypes");
  const values = Float32Array.from({ length: EMBEDDING * CLASSES }, (_, i) => (i % CLASSES === UNSEEN ? 0 : normal()));
  for (let k = 0; k < CLASSES; k++) {
    const column = Array.from({ length: EMBEDDING }, (_, f) => values[f * CLASSES + k]!);
    const length = Math.hypot(...column);
    if (length > 0) for (let f = 0; f < EMBEDDING; f++) values[f * CLASSES + k]! /= length;
  }
  return float32([EMBEDDING, CLASSES], values);
}

const { network, weights } = drawnNetwork();
const prototypes = drawnPrototypes();

/** Biases that make every class as likely as any other, or the drawn head would name one class everywhere. */
beforeAll(async () => {
  const images = input("images", { dtype: "float32", shape: [1, 3, 64, 64] });
  const scores = mean(network.head(network.features(images, restingPass), restingPass), [0, 2, 3]);
  const program = await compile(runtime, { outputs: { scores } });
  const { scores: found } = await program.run({ ...weights, images: planesOf(bytesOf(64, 64)) });
  await program.close();
  const bias = floats(weights[HEAD_BIAS], HEAD_BIAS);
  weights[HEAD_BIAS] = float32(
    [CLASSES],
    bias.map((value, k) => value - floats(found, "scores")[k]!),
  );
});

type Answering = Pick<GammaOptions, "score" | "temperature" | "classFrom">;

async function deploy(options: Answering): Promise<Graph> {
  const deployment = { network, prototypes: constant(prototypes), gamma: GAMMA, options, normalisation };
  return foldConvs(await bindInputs(runtime, deployedGraph(deployment, [61, 75]), weights));
}

async function load(on: Runtime, graph: Graph): Promise<Program> {
  const { inputs, outputs } = deployedSignature;
  const open = Object.fromEntries([...inputs, ...outputs].map(([name, type]) => [name, type.shape]));
  return on.load(writeModel(graph, { open }).bytes, deployedSignature);
}

const bytesOf = (height: number, width: number): HostTensor => {
  const { uniform } = random("picture", height, width);
  // Large patches with some noise: plain noise looks the same everywhere to a network.
  const data = Uint8Array.from({ length: height * width * 3 }, (_, i) => {
    const [y, x] = [Math.floor(i / 3 / width), Math.floor(i / 3) % width];
    return (((x >> 4) * 53 + (y >> 4) * 91 + (i % 3) * 40) % 216) + uniform() * 40;
  });
  return hostTensor("uint8", [1, height, width, 3], data);
};

/** Normalised, [1, 3, H, W]. */
function planesOf(image: HostTensor): HostTensor {
  const [, height, width] = image.shape as [number, number, number];
  const pixels = height * width;
  const planes = Float32Array.from({ length: 3 * pixels }, (_, i) => {
    const c = Math.floor(i / pixels);
    return (Number(image.data[(i % pixels) * 3 + c]) / 255 - normalisation.mean[c]!) / normalisation.deviation[c]!;
  });
  return float32([1, 3, height, width], planes);
}

/** What training's own network says: normalised, mirrored, scored by prototypes, cut. */
async function trained(image: HostTensor, options: Answering) {
  const [, height, width] = image.shape as [number, number, number];
  const images = input("images", { dtype: "float32", shape: [1, 3, height, width] });
  const vectors = input("prototypes", { dtype: "float32", shape: prototypes.shape });
  const features = network.features(mirroredTo(images, 16), restingPass);
  const seen = answersOf({ features, logits: network.head(features, restingPass) });
  const { predicted, uncertainty } = prototypeScorer("", network, vectors, options).score(seen);
  const cut = (map: typeof predicted) => {
    const [n, h, w] = map.shape as [number, number, number];
    return reshape(cropTo(reshape(map, [n, 1, h, w]), [height, width]), [1, height, width]);
  };
  const program = await compile(runtime, { outputs: { predicted: cut(predicted), uncertainty: cut(uncertainty) } });
  const feeds = { ...weights, prototypes, images: planesOf(image) };
  const answers = await program.run(feeds).finally(() => program.close());
  return {
    predicted: Uint8Array.from(answers.predicted!.data, Number),
    similarity: floats(answers.uncertainty, "uncertainty").map((u) => 1 - u),
  };
}

const worst = (a: Float32Array, b: Float32Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
const share = (hits: number, all: number): number => hits / all;

describe.each([
  ["cosine", paper],
  ["cosine of the head's class", { ...paper, classFrom: "head" }],
  ["softmax", { ...small, score: "softmax", classFrom: "prototypes" }],
  ["softmax of the head's class", { ...small, score: "softmax" }],
  ["the lesser softmax", { ...small, classFrom: "prototypes" }],
  ["the lesser softmax of the head's class", small],
] as const)("the deployed model, scored by %s,", (_, options) => {
  let graph: Graph;
  beforeAll(async () => {
    graph = await deploy(options);
  });

  test("answers as the trained network does, at any size", async () => {
    const program = await load(runtime, graph);
    for (const [height, width] of [
      [64, 64],
      [61, 75],
      [130, 97],
      [65, 240],
    ] as const) {
      const image = bytesOf(height, width);
      const found = await program.run({ image });
      const wanted = await trained(image, options);
      expect(found.class!.shape).toEqual([1, height, width]);
      expect(worst(floats(found.similarity, "similarity"), wanted.similarity)).toBeLessThan(2e-5);
      const same = wanted.predicted.filter((id, i) => id === found.class!.data[i]).length;
      expect(share(same, wanted.predicted.length)).toBeGreaterThan(0.9999);
      expect(new Set(wanted.predicted).size).toBeGreaterThan(1);
      if (options.classFrom === "prototypes") expect(new Set(wanted.predicted).has(UNSEEN)).toBe(false);
    }
    await program.close();
  });

  test("a pixel is certain just where its similarity is at least γ", async () => {
    const program = await load(runtime, graph);
    const { similarity, certain } = await program.run({ image: bytesOf(64, 96) });
    await program.close();
    const sure = floats(similarity, "similarity").map((value) => Number(value >= Math.fround(GAMMA)));
    expect([...certain!.data]).toEqual([...sure]);
  });

  test("answers the same in WebAssembly, to 1e-4", async () => {
    const [node, web] = [await load(runtime, graph), await load(webRuntime(ort), graph)];
    const image = bytesOf(67, 82);
    const [a, b] = [await node.run({ image }), await web.run({ image })];
    await node.close();
    await web.close();
    expect(worst(floats(a.similarity, "node"), floats(b.similarity, "web"))).toBeLessThan(1e-4);
    const same = [...a.class!.data].filter((id, i) => id === b.class!.data[i]).length;
    expect(share(same, a.class!.data.length)).toBeGreaterThan(0.999);
  });
});

test("batch norms, biases, normalisation and prototypes are all inside convolutions", async () => {
  const kinds = nodesOf(await deploy(paper)).map(({ opType }) => opType);
  expect(kinds.filter((kind) => kind === "ChannelAffine")).toEqual([]);
  expect(kinds.filter((kind) => kind === "Conv")).toHaveLength(38);
  expect(kinds.length).toBeLessThan(120);
});

test("an image of 1024 x 2048 is answered in one go", { timeout: 120_000 }, async () => {
  const program = await load(runtime, await deploy(paper));
  const answers = await program.run({ image: bytesOf(1024, 2048) });
  await program.close();
  expect(answers.class!.shape).toEqual([1, 1024, 2048]);
  expect(floats(answers.similarity, "similarity").every((value) => value >= -1 && value <= 1)).toBe(true);
});

test("a temperature next to nothing overflows nowhere", async () => {
  const program = await load(runtime, await deploy({ score: "softmax", temperature: 0.002, classFrom: "prototypes" }));
  const { similarity } = await program.run({ image: bytesOf(64, 64) });
  await program.close();
  expect(floats(similarity, "similarity").every((value) => value > 0 && value <= 1)).toBe(true);
});

test("constant images, black and white ones too, have finite answers", async () => {
  const program = await load(runtime, await deploy(small));
  for (const level of [0, 128, 255]) {
    const image = hostTensor("uint8", [1, 64, 64, 3], new Uint8Array(64 * 64 * 3).fill(level));
    const { similarity } = await program.run({ image });
    expect(floats(similarity, "similarity").every(Number.isFinite)).toBe(true);
  }
  await program.close();
});
