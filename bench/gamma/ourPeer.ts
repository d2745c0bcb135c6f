import { createInterface } from "node:readline";
import { nodesOf } from "../../src/engine/graph/graph.js";
import { nodeRuntime } from "../../src/engine/runtime/node.js";
import { float32, floats, type HostTensor, hostTensor, type Tensors } from "../../src/engine/tensor/hostTensor.js";
import { interpolation } from "../../src/engine/tensor/interpolation.js";
import { size } from "../../src/engine/tensor/shape.js";
import { type GammaOptions, type ProfileName, profiles } from "../../src/methods/gamma-ssl/options.js";
import { dialFeeds, type GammaStep, gammaStep } from "../../src/methods/gamma-ssl/step.js";
import { Stepper } from "../../src/networks/optim/stepper.js";
import { keyedLabels, keyedUniform } from "../../test/fixtures/torch/keyed.js";

/** The same commands as torch_peer.py, answered by our step. */
interface Init {
  readonly threads: number;
  readonly batch: number;
  readonly height: number;
  readonly width: number;
  readonly profile: ProfileName;
  /** Write a Chrome trace of every node to this file prefix. */
  readonly trace?: string;
}

const CLASS_NAMES =
  "road,sidewalk,building,wall,fence,pole,traffic light,traffic sign,vegetation,terrain,sky,person,rider,car,truck,bus,train,motorcycle,bicycle".split(
    ",",
  );

function optionsFor({ profile, batch }: Init): GammaOptions {
  const options = profiles[profile];
  return {
    ...options,
    network: { ...options.network, asppDropout: 0 }, // PyTorch's would draw other noise
    batch: { source: batch, prototype: batch, target: batch },
  };
}

/** Enlarge fourfold, then cut: half of the samples their middle, the other half nothing, and the other view the other way round. */
function matrices([n, pixels, cells]: readonly [number, number, number], cutEven: boolean): HostTensor {
  const enlarge = interpolation(cells, pixels, "corners").data as Float32Array;
  const data = new Float32Array(n * pixels * cells);
  for (let i = 0; i < n; i++) {
    const span = (i % 2 === 0) === cutEven ? { start: pixels / 8, length: pixels / 2 } : { start: 0, length: pixels };
    const cut = interpolation(pixels, pixels, "corners", span).data as Float32Array;
    for (let row = 0; row < pixels; row++)
      for (let k = 0; k < pixels; k++) {
        const weight = cut[row * pixels + k]!;
        if (weight === 0) continue;
        for (let c = 0; c < cells; c++) data[(i * pixels + row) * cells + c]! += weight * enlarge[k * cells + c]!;
      }
  }
  return float32([n, pixels, cells], data);
}

function feedsFor(step: GammaStep): Tensors {
  const feeds = [...step.batch].map(([name, { shape }]): [string, HostTensor] => {
    if (name.endsWith(".labels")) {
      const extents = shape as [number, number, number];
      return [name, hostTensor("int64", shape, keyedLabels(name.split(".")[0]!, extents, { classes: 19 }))];
    }
    if (name.endsWith(".valid")) return [name, float32(shape, new Float32Array(size(shape)).fill(1))];
    if (/rows|columns/.test(name))
      return [name, matrices(shape as [number, number, number], name.includes(".second."))];
    return [name, float32(shape, keyedUniform(name, shape, -2, 2))];
  });
  return { ...Object.fromEntries(feeds), ...dialFeeds(step) };
}

/** A parameter as the fixtures' keyed_init fills it. */
function keyedStart(path: string, shape: readonly number[]): HostTensor {
  const bound = shape.length > 1 ? Math.sqrt(6 / size(shape.slice(1))) : 0.1;
  const isScale = path.endsWith("running_var") || (shape.length === 1 && path.endsWith(".weight"));
  const [low, high] = isScale ? [0.8, 1.2] : [-bound, bound];
  return float32(shape, keyedUniform(path, shape, low, high));
}

interface Opened {
  readonly stepper: Stepper;
  readonly feeds: Tensors;
  /** In a step: of the source, for prototypes where they have their own, and of the target. */
  readonly images: number;
  readonly nodes: number;
  readonly createSeconds: number;
}

async function open(init: Init): Promise<Opened> {
  const { height, width, threads, trace } = init;
  const step = gammaStep({
    options: optionsFor(init),
    classes: CLASS_NAMES,
    crop: [height, width],
    stage: "adaptation",
  });
  const start = [...step.state].flatMap(([name, { start: first }]) => {
    const own = name.replace(/^teacher\./, "");
    const learned = /^(encoder|decoder|segmentation_head|projection)\./.test(own);
    return learned ? [[name, keyedStart(own, first(0).shape)] as const] : [];
  });
  const before = performance.now();
  const runtime = nodeRuntime({ threads, ...(trace && { profile: trace }) });
  const stepper = await Stepper.open(runtime, step, { state: Object.fromEntries(start) });
  const createSeconds = (performance.now() - before) / 1000;
  const images = [...step.batch].flatMap(([name, { shape }]) => (/\.(images|second)$/.test(name) ? [shape[0]!] : []));
  return {
    stepper,
    feeds: feedsFor(step),
    images: images.reduce((total, count) => total + count, 0),
    nodes: nodesOf(step.graph).length,
    createSeconds,
  };
}

let training: Opened | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const { cmd, ...request } = JSON.parse(line);
  let answer: unknown = {};
  if (cmd === "init") {
    training = await open(request);
    const { nodes, createSeconds, images } = training;
    answer = { nodes, createSeconds, images };
  } else if (cmd === "step") {
    const seconds: number[] = [];
    let loss = Number.NaN;
    for (let i = 0; i < request.count; i++) {
      const start = performance.now();
      loss = floats((await training!.stepper.run(training!.feeds, 1e-6)).loss, "loss")[0]!;
      seconds.push((performance.now() - start) / 1000);
    }
    answer = { seconds, loss };
  } else if (cmd === "memory") answer = { bytes: process.resourceUsage().maxRSS * 1024 };
  else if (cmd === "quit") await training?.stepper.close();
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  if (cmd === "quit") break;
}
