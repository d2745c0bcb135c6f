import { modelBytes } from "../src/deployment/model/modelBytes.js";
import { constant } from "../src/engine/graph/value.js";
import { cast, div, neg, shift } from "../src/engine/ops/elementwise.js";
import { argmax, max } from "../src/engine/ops/reduce.js";
import { nodeRuntime } from "../src/engine/runtime/node.js";
import { float32, zeros } from "../src/engine/tensor/hostTensor.js";
import { BUILT_AT, bindWeights, normalisation } from "../src/inference/deployedProgram.js";
import { deployedGraph } from "../src/methods/gamma-ssl/deployedGraph.js";
import { GammaNetwork } from "../src/methods/gamma-ssl/network.js";
import { type GammaOptions, small } from "../src/methods/gamma-ssl/options.js";
import { exponentials, imageSeen } from "../src/methods/parts/deployedParts.js";
import type { PlacesSeen } from "../src/methods/parts/imageDistance.js";
import { dynamicShapePass } from "../src/networks/layers/pass.js";
import { Scope } from "../src/networks/layers/scope.js";
import { ResNet18 } from "../src/networks/models/resnet.js";
import { startOf } from "../src/networks/optim/trainStep.js";

export interface ExportedModel {
  readonly seed?: number;
  readonly height?: number;
  readonly gamma?: number;
  /** A tiny one when left out. */
  readonly network?: GammaOptions["network"];
  /** What it says it learned from. */
  readonly source?: string;
  /** Names of the classes; their number is the network's. */
  readonly classes?: readonly string[];
}

const tiny = { ...small.network, width: 0.125, features: 16 };
const usual = ["road", "building", "sky", "tree", "car"];

/** The bytes of a model as `gssl export` writes it, with weights and prototypes drawn from a seed instead of learned. */
export async function exportedModel(asked: ExportedModel = {}): Promise<Uint8Array> {
  const { seed = 1, height = 64, gamma = 0.09, network = tiny, classes = usual, source } = asked;
  const { weights, made } = drawn(network, classes.length, seed);
  // Sines of squares: vectors that have nothing in common.
  const values = Float32Array.from({ length: made.channels * classes.length }, (_, i) => Math.sin((i + seed) ** 2));
  const lengths = classes.map((_, k) => Math.hypot(...values.filter((_value, i) => i % classes.length === k)));
  const columns = values.map((value, i) => value / lengths[i % classes.length]!);
  const prototypes = constant(float32([made.channels, classes.length], columns));
  const options = { temperature: small.temperature, score: "cosine" } as const;
  const places = anyPlace(network.width);
  const graph = deployedGraph({ network: made, prototypes, gamma, options, height, normalisation, places }, BUILT_AT);
  return modelBytes(await bindWeights(nodeRuntime(), graph, weights), {
    ...about(height, classes),
    ...options,
    ...(source !== undefined && { training: { source } }),
    ...{ gamma, gammaFrom: "training", unseen: [], probabilities: false },
    expectedCertain: { mean: 0.5, deviation: 0.1, lowest: 0.3, images: 10, on: "nothing" },
    distanceFrom: [{ on: "nothing", images: 10 }],
  });
}

/** A place that no image is far from. */
function anyPlace(width: number): PlacesSeen {
  const [channels] = ResNet18.channels(width) as [number];
  const map = Float32Array.from({ length: channels ** 2 }, (_, i) => (i % (channels + 1) === 0 ? 0.01 : 0));
  return { means: zeros({ dtype: "float32", shape: [1, channels] }), map: float32([channels, channels], map) };
}

/** The same of a baseline: max-softmax, which has no γ. */
export async function exportedBaseline({
  seed = 1,
  height = 64,
  classes = usual,
}: ExportedModel = {}): Promise<Uint8Array> {
  const { weights, made } = drawn(tiny, classes.length, seed);
  const { planes, atOwnSize } = imageSeen(BUILT_AT, { height, normalisation });
  const features = made.features(planes, dynamicShapePass);
  const { shares, total } = exponentials(made.head(features, dynamicShapePass));
  const outputs = {
    class: atOwnSize(cast(argmax(shares, 3), "uint8")),
    uncertainty: atOwnSize(shift(neg(div(max(shares, [3]), total)), 1)),
  };
  return modelBytes(await bindWeights(nodeRuntime(), { outputs }, weights), {
    ...about(height, classes),
    ...{ method: "max-softmax", settings: {}, network: "weights.safetensors", remarks: [] },
    chosen: { by: "fixed", among: 1, on: null },
  });
}

function drawn(network: GammaOptions["network"], classes: number, seed: number) {
  const scope = new Scope();
  const made = new GammaNetwork(scope, { ...network, classes });
  return { made, weights: Object.fromEntries(scope.params.map((param) => [param.path, startOf(param)(seed)])) };
}

const about = (height: number, classes: readonly string[]) => ({
  ...{ producer: "gamma-ssl test", precision: "float32" as const, height, weights: "drawn", training: {} },
  classes: classes.map((name, k) => ({
    name,
    colour: [(k * 80) % 256, (k * 50) % 256, 200] as [number, number, number],
  })),
});
