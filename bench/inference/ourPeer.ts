import { createInterface } from "node:readline";
import { DEVIATION, MEAN } from "../../src/data/images/tensors.js";
import type { Graph } from "../../src/engine/graph/graph.js";
import { constant } from "../../src/engine/graph/value.js";
import { writeModel } from "../../src/engine/onnx/writeModel.js";
import { cast, div } from "../../src/engine/ops/elementwise.js";
import { foldConvs } from "../../src/engine/ops/foldConvs.js";
import { argmax, max } from "../../src/engine/ops/reduce.js";
import { bindInputs } from "../../src/engine/runtime/bindInputs.js";
import { nodeRuntime } from "../../src/engine/runtime/node.js";
import type { Program, Signature } from "../../src/engine/runtime/runtime.js";
import { float32, floats, type HostTensor, hostTensor } from "../../src/engine/tensor/hostTensor.js";
import { size } from "../../src/engine/tensor/shape.js";
import { deployedGraph } from "../../src/methods/gamma-ssl/deployedGraph.js";
import { GammaNetwork } from "../../src/methods/gamma-ssl/network.js";
import { type ProfileName, profiles } from "../../src/methods/gamma-ssl/options.js";
import { exponentials, imageSeen } from "../../src/methods/parts/deployedParts.js";
import { deployedSignature } from "../../src/methods/parts/deployedSignature.js";
import type { PlacesSeen } from "../../src/methods/parts/imageDistance.js";
import { dynamicShapePass } from "../../src/networks/layers/pass.js";
import { Scope } from "../../src/networks/layers/scope.js";
import { ResNet18 } from "../../src/networks/models/resnet.js";
import { keyedUint32, keyedUniform } from "../../test/fixtures/torch/keyed.js";

/** The same commands as torch_peer.py, answered by the deployed model and by our network without prototypes. */
interface Init {
  readonly threads: number;
  readonly height: number;
  readonly width: number;
  readonly profile: ProfileName;
  /** Write a Chrome trace of every node to this file prefix. */
  readonly trace?: string;
  /** Where to compute, taken as it is. */
  readonly device?: string;
}

const CLASSES = 19;
const GAMMA = 0.5;
const normalisation = { mean: MEAN, deviation: DEVIATION };

/** A parameter as the fixtures' keyed_init fills it. */
function keyedStart(path: string, shape: readonly number[]): HostTensor {
  const bound = shape.length > 1 ? Math.sqrt(6 / size(shape.slice(1))) : 0.1;
  const isScale = path.endsWith("running_var") || (shape.length === 1 && path.endsWith(".weight"));
  const [low, high] = isScale ? [0.8, 1.2] : [-bound, bound];
  return float32(shape, keyedUniform(path, shape, low, high));
}

/** [F, K], columns of length 1. */
function keyedPrototypes(features: number): HostTensor {
  const values = keyedUniform("prototypes", [features, CLASSES], -1, 1);
  const lengths = Array.from({ length: CLASSES }, (_, k) =>
    Math.hypot(...values.filter((_value, i) => i % CLASSES === k)),
  );
  return float32(
    [features, CLASSES],
    values.map((value, i) => value / lengths[i % CLASSES]!),
  );
}

/** Two places, as source and target are; which ones does not matter to the time. */
function drawnPlaces(width: number): PlacesSeen {
  const [channels] = ResNet18.channels(width) as [number];
  const keyed = (name: string, rows: number) => keyedStart(name, [rows, channels]);
  return { means: keyed("places.means", 2), map: keyed("places.map", channels) };
}

/** The head's class and largest softmax probability, deployed as the model with prototypes is, in the fastest spelling known. */
function vanillaGraph(network: GammaNetwork, height: number): Graph {
  const { planes, atOwnSize } = imageSeen([64, 64], { height, normalisation });
  const features = network.features(planes, dynamicShapePass);
  const { shares, total } = exponentials(network.head(features, dynamicShapePass));
  const peak = div(max(shares, [3]), total);
  return { outputs: { class: atOwnSize(cast(argmax(shares, 3), "uint8")), similarity: atOwnSize(peak) } };
}

async function open({ threads, height, width, profile, trace, device }: Init) {
  const options = profiles[profile];
  const scope = new Scope();
  const network = new GammaNetwork(scope, { ...options.network, classes: CLASSES });
  const weights = Object.fromEntries(scope.params.map(({ path, shape }) => [path, keyedStart(path, shape)]));
  const prototypes = constant(keyedPrototypes(network.channels));
  const places = drawnPlaces(options.network.width);
  const graphs = {
    deployed: deployedGraph({ network, prototypes, places, gamma: GAMMA, options, height, normalisation }, [64, 64]),
    vanilla: vanillaGraph(network, height),
  };
  const runtime = nodeRuntime({ threads, device, ...(trace && { profile: trace }) });
  const load = async (graph: Graph): Promise<Program> => {
    const folded = foldConvs(await bindInputs(nodeRuntime(), graph, weights));
    const outputs = new Map([...deployedSignature.outputs].filter(([name]) => name in graph.outputs));
    const signature: Signature = { inputs: deployedSignature.inputs, outputs };
    const types = [...signature.inputs, ...signature.outputs].map(([name, type]) => [name, type.shape]);
    return runtime.load(writeModel(folded, { open: Object.fromEntries(types) }).bytes, signature);
  };
  const bytes = Uint8Array.from(keyedUint32("image", height * width * 3), (n) => n >>> 24);
  return {
    deployed: await load(graphs.deployed),
    vanilla: await load(graphs.vanilla),
    image: hostTensor("uint8", [1, height, width, 3], bytes),
  };
}

let opened: Awaited<ReturnType<typeof open>> | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const { cmd, ...request } = JSON.parse(line);
  let answer: unknown = {};
  if (cmd === "init") opened = await open(request);
  else if (cmd === "run") {
    const program: Program = opened![request.which as "deployed" | "vanilla"];
    const [start, used] = [performance.now(), process.cpuUsage()];
    const { similarity } = await program.run({ image: opened!.image });
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(used);
    const values = floats(similarity, "similarity");
    answer = {
      seconds,
      processor: (user + system) / 1e6,
      similarity: values.reduce((total, value) => total + value, 0) / values.length,
    };
  } else if (cmd === "quit") {
    await opened?.deployed.close();
    await opened?.vanilla.close();
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  if (cmd === "quit") break;
}
