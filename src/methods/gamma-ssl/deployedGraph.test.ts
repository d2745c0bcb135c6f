import * as ort from "onnxruntime-web";
import { beforeAll, describe, expect, test } from "vitest";
import { nearestMap, scaledLevels } from "../../data/images/scale.js";
import type { ImageLevels } from "../../data/images/tensors.js";
import { type Graph, inputsOf, nodesOf } from "../../engine/graph/graph.js";
import { constant, input, type Value } from "../../engine/graph/value.js";
import { writeModel } from "../../engine/onnx/writeModel.js";
import { foldConvs } from "../../engine/ops/foldConvs.js";
import { reshape, slice } from "../../engine/ops/shaping.js";
import { bindInputs } from "../../engine/runtime/bindInputs.js";
import { compile } from "../../engine/runtime/compile.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { webRuntime } from "../../engine/runtime/web.js";
import { float32, floats, type HostTensor, hostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { size } from "../../engine/tensor/shape.js";
import { inferencePass } from "../../networks/layers/pass.js";
import { Scope } from "../../networks/layers/scope.js";
import { cropTo, mirroredTo } from "../../networks/models/anySize.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import { startOf } from "../../networks/optim/trainStep.js";
import { deployedSignature, withProbabilities } from "../parts/deployedSignature.js";
import type { PlacesSeen } from "../parts/imageDistance.js";
import { networkOutputs } from "../parts/networkOutputs.js";
import { deployedGraph } from "./deployedGraph.js";
import type { PredictionOptions } from "./gammaPrediction.js";
import { GammaNetwork } from "./network.js";
import { paper, small } from "./options.js";
import { prototypeScore } from "./prototypeMethod.js";
import { storedPrototypes } from "./prototypes.js";
import { sharpened, similarities } from "./segmentation.js";
import { probabilitiesWithUnknown } from "./testing/equations.js";

ort.env.wasm.numThreads = 1;
const CLASSES = 5;
/** No image of the source had it, so it has no prototype. */
const UNSEEN = 3;
const FEATURES = 16;
/** Of the first stage, an eighth of ResNet-18's. */
const FIRST_CHANNELS = 8;
const GAMMA = 0.4;
/** To which images are scaled. */
const HEIGHT = 64;
const normalisation = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
const shape = {
  outputStride: 16,
  asppDropout: 0,
  features: FEATURES,
  width: 0.125,
  stages: 4,
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
  const values = Float32Array.from({ length: FEATURES * CLASSES }, (_, i) => (i % CLASSES === UNSEEN ? 0 : normal()));
  for (let k = 0; k < CLASSES; k++) {
    const column = Array.from({ length: FEATURES }, (_, f) => values[f * CLASSES + k]!);
    const length = Math.hypot(...column);
    if (length > 0) for (let f = 0; f < FEATURES; f++) values[f * CLASSES + k]! /= length;
  }
  return float32([FEATURES, CLASSES], values);
}

const { network, weights } = drawnNetwork();
const prototypes = drawnPrototypes();

/** Two places, and a map that mixes channels. */
const { normal } = random("places");
const drawnTensor = (rows: number) => {
  const extent = [rows, FIRST_CHANNELS];
  return float32(
    extent,
    Float32Array.from({ length: size(extent) }, () => normal()),
  );
};
const places: PlacesSeen = { means: drawnTensor(2), map: drawnTensor(FIRST_CHANNELS) };

interface Deploying {
  readonly gamma?: number;
  readonly probabilities?: boolean;
  readonly height?: number;
}

async function deploy(
  options: PredictionOptions,
  { gamma = GAMMA, probabilities = false, height = HEIGHT }: Deploying = {},
): Promise<Graph> {
  const eye = { height, normalisation };
  const deployment = { ...eye, network, prototypes: constant(prototypes), gamma, options, probabilities, places };
  return foldConvs(await bindInputs(runtime, deployedGraph(deployment, [61, 75]), weights));
}

async function load(on: Runtime, graph: Graph): Promise<Program> {
  const signature = "probabilities" in graph.outputs ? withProbabilities(CLASSES) : deployedSignature;
  const types = [...signature.inputs, ...signature.outputs].map(([name, type]) => [name, type.shape]);
  return on.load(writeModel(graph, { open: Object.fromEntries(types) }).bytes, signature);
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

/** An image at the height of training. */
function seen(image: HostTensor): ImageLevels {
  const [, height, width] = image.shape as [number, number, number];
  const to = { height: HEIGHT, width: Math.round((width * HEIGHT) / height) };
  return scaledLevels({ rgb: image.data as Uint8Array, width, height }, to);
}

/** Normalised, [1, 3, H, W]. */
function planesOf({ rgb, width, height }: ImageLevels): HostTensor {
  const pixels = height * width;
  const planes = Float32Array.from({ length: 3 * pixels }, (_, i) => {
    const c = Math.floor(i / pixels);
    return (rgb[(i % pixels) * 3 + c]! / 255 - normalisation.mean[c]!) / normalisation.deviation[c]!;
  });
  return float32([1, 3, height, width], planes);
}

/** An image for training's own network: normalised, mirrored to a size that suits it; and a way to cut maps [1, H', W'] back. */
function features({ width, height }: ImageLevels) {
  const images = input("images", { dtype: "float32", shape: [1, 3, height, width] });
  const cut = (map: Value): Value => {
    const [n, h, w] = map.shape as [number, number, number];
    return reshape(cropTo(reshape(map, [n, 1, h, w]), [height, width]), [1, height, width]);
  };
  return { features: network.features(mirroredTo(images, 16), inferencePass), cut };
}

const vectors = input("prototypes", { dtype: "float32", shape: prototypes.shape });

async function evaluated(image: ImageLevels, outputs: Graph["outputs"]): Promise<Tensors> {
  const program = await compile(runtime, { outputs });
  const feeds = { ...weights, prototypes, images: planesOf(image) };
  const used = [...inputsOf({ outputs }).keys()].map((name) => [name, (feeds as Tensors)[name]!] as const);
  return program.run(Object.fromEntries(used)).finally(() => program.close());
}

/** What training's own network says: scaled, normalised, mirrored, scored by prototypes, cut, brought back to the image's size. */
async function trained(image: HostTensor, options: PredictionOptions) {
  const scaled = seen(image);
  const { features: found, cut } = features(scaled);
  const outputs = networkOutputs({ features: found, logits: network.head(found, inferencePass) });
  const { predicted, uncertainty } = prototypeScore(network, vectors, options)(outputs);
  const answers = await evaluated(scaled, { predicted: cut(predicted), uncertainty: cut(uncertainty) });
  const similarity = floats(answers.uncertainty, "uncertainty").map((u) => 1 - u);
  return {
    predicted: nearestMap(Uint8Array.from(answers.predicted!.data, Number), scaled, extentOf(image)),
    similarity: nearestMap(similarity, scaled, extentOf(image)),
  };
}

/** Eq. 4 of training's own network, class by class: K + 1 maps of H * W. */
async function trainedProbabilities(image: HostTensor, { score, temperature }: PredictionOptions, gamma: number) {
  const scaled = seen(image);
  const { features: found, cut } = features(scaled);
  const cosines = similarities(network.project(found, inferencePass), storedPrototypes(vectors));
  const sharp = upsampleScores(sharpened(cosines, temperature));
  const all = probabilitiesWithUnknown(sharp, constant(float32([], [gamma])), score, temperature);
  const [, k, h, w] = all.shape as [number, number, number, number];
  const maps = Array.from({ length: k }, (_, id) => cut(reshape(slice(all, 1, id, id + 1), [1, h, w])));
  const answers = await evaluated(scaled, Object.fromEntries(maps.map((map, id) => [`class${id}`, map])));
  return maps.map((_, id) => nearestMap(floats(answers[`class${id}`], "probability"), scaled, extentOf(image)));
}

const extentOf = ({ shape: [, height, width] }: HostTensor) => ({ height: height!, width: width! });
const worst = (a: Float32Array, b: Float32Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
const share = (hits: number, all: number): number => hits / all;

describe.each([
  ["cosine", paper],
  ["softmax", small],
] as const)("the deployed model, scored by %s,", (_, options) => {
  let graph: Graph;
  beforeAll(async () => {
    graph = await deploy(options);
  });

  test("gives the output of the trained network, at any size", async () => {
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
      expect(new Set(wanted.predicted).has(UNSEEN)).toBe(false);
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

  test("on request it gives the distribution of Eq. 4, which is that of the trained network", async () => {
    // γ in the middle of what there is, so that the last class is the largest somewhere and not everywhere.
    const { similarity } = await trained(bytesOf(64, 64), options);
    const gamma = similarity.toSorted()[similarity.length >> 1]!;
    const program = await load(runtime, await deploy(options, { gamma, probabilities: true }));
    for (const [height, width] of [
      [64, 64],
      [61, 75],
    ] as const) {
      const image = bytesOf(height, width);
      const found = await program.run({ image });
      expect(found.probabilities!.shape).toEqual([1, height, width, CLASSES + 1]);
      const values = floats(found.probabilities, "probabilities");
      (await trainedProbabilities(image, options, gamma)).forEach((wanted, id) => {
        expect(
          worst(
            values.filter((_value, i) => i % (CLASSES + 1) === id),
            wanted,
          ),
        ).toBeLessThan(1e-4);
      });
      // The last class is the largest where the pixel is uncertain; just at γ rounding decides.
      const sure = floats(found.similarity, "similarity");
      const pixels = [...sure.keys()].filter((i) => Math.abs(sure[i]! - gamma) > 1e-5);
      const isKnown = (i: number): number => {
        const own = values.subarray(i * (CLASSES + 1), (i + 1) * (CLASSES + 1));
        return Number(own.indexOf(Math.max(...own)) !== CLASSES);
      };
      const known = pixels.map(isKnown);
      expect(known).toEqual(pixels.map((i) => found.certain!.data[i]));
      expect(new Set(known)).toEqual(new Set([0, 1]));
    }
    await program.close();
  });

  test("without being asked it has no such output", () => {
    expect(Object.keys(graph.outputs)).toEqual(["class", "similarity", "certain", "distance"]);
  });

  test("says how far the image is from the nearest place", async () => {
    const program = await load(runtime, graph);
    const image = bytesOf(61, 75);
    const found = await program.run({ image });
    await program.close();
    const scaled = seen(image);
    const images = input("images", { dtype: "float32", shape: [1, 3, scaled.height, scaled.width] });
    const { shallow } = network.encode(mirroredTo(images, 16), inferencePass);
    const first = floats((await evaluated(scaled, { shallow })).shallow, "shallow");
    const pixels = first.length / FIRST_CHANNELS;
    const mean = Array.from({ length: FIRST_CHANNELS }, (_, c) => {
      return first.subarray(c * pixels, (c + 1) * pixels).reduce((sum, value) => sum + value, 0) / pixels;
    });
    const [means, map] = [floats(places.means, "means"), floats(places.map, "map")];
    const distances = [0, 1].map((p) => {
      const apart = mean.map((value, c) => value - means[p * FIRST_CHANNELS + c]!);
      return Math.hypot(...apart.map((_, b) => apart.reduce((sum, a, c) => sum + a * map[c * FIRST_CHANNELS + b]!, 0)));
    });
    expect(found.distance!.shape).toEqual([1]);
    expect(floats(found.distance, "distance")[0]! / Math.min(...distances)).toBeCloseTo(1, 4);
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

test("an image of 1024 x 2048 is answered in one go", async () => {
  const program = await load(runtime, await deploy(paper, { height: 1024 }));
  const answers = await program.run({ image: bytesOf(1024, 2048) });
  await program.close();
  expect(answers.class!.shape).toEqual([1, 1024, 2048]);
  expect(floats(answers.similarity, "similarity").every((value) => value >= -1 && value <= 1)).toBe(true);
});

test("a temperature next to nothing overflows nowhere", async () => {
  const program = await load(runtime, await deploy({ ...small, temperature: 0.002 }));
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
