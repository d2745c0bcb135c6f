import { inputsOf } from "../src/engine/graph/graph.js";
import { input } from "../src/engine/graph/value.js";
import { relu } from "../src/engine/ops/elementwise.js";
import { resizeBilinear } from "../src/engine/ops/resize.js";
import { float32, type HostTensor, int64, type Tensors } from "../src/engine/tensor/hostTensor.js";
import { random } from "../src/engine/tensor/random.js";
import { type Shape, size } from "../src/engine/tensor/shape.js";
import { BatchNorm2d, Conv2d } from "../src/networks/layers/layers.js";
import { PassRecorder } from "../src/networks/layers/pass.js";
import { Scope } from "../src/networks/layers/scope.js";
import { crossEntropy } from "../src/networks/losses/crossEntropy.js";
import { DeepLab, upsampleScores } from "../src/networks/models/deeplab.js";
import { adamW, type Optimiser, sgd } from "../src/networks/optim/optimiser.js";
import { type TrainStep, trainStep } from "../src/networks/optim/trainStep.js";
import { VOID_LABEL } from "../src/platform/voidLabel.js";

/** The smallest network with everything a real one has: strided convolution, batch norm, ReLU, head, resize. */
export function tinyStep(optimiser: Optimiser = sgd({ momentum: 0.9 }), channels = 2): TrainStep {
  const scope = new Scope();
  const conv = new Conv2d(scope.child("conv"), { in: 1, out: channels, kernel: 3, stride: 2, padding: 1 });
  const norm = new BatchNorm2d(scope.child("norm"), channels);
  const head = new Conv2d(scope.child("head"), { in: channels, out: 3, kernel: 1, bias: true });
  const images = input("images", { dtype: "float32", shape: [2, 1, 4, 4] });
  const labels = input("labels", { dtype: "int64", shape: [2, 4, 4] });
  const recorder = new PassRecorder();
  const pass = recorder.pass();
  const features = relu(norm.forward(conv.forward(images, pass), pass));
  const loss = crossEntropy(resizeBilinear(head.forward(features, pass), [4, 4], "corners"), labels);
  return trainStep({ loss, params: scope.params, optimiser, gathered: recorder.updates });
}

/** A narrow DeepLabV3+ step, with dropout, clipping and two parameter groups: every part of the engine in a second. */
export function narrowDeepLabStep(side = 64): TrainStep {
  const scope = new Scope();
  const network = new DeepLab(scope, { classes: 5, width: 0.125, features: 16 });
  const images = input("images", { dtype: "float32", shape: [2, 3, side, side] });
  const labels = input("labels", { dtype: "int64", shape: [2, side, side] });
  const recorder = new PassRecorder();
  const pass = recorder.pass();
  const loss = crossEntropy(upsampleScores(network.head(network.features(images, pass), pass)), labels);
  return trainStep({
    loss,
    params: scope.params,
    optimiser: adamW(),
    gathered: recorder.updates,
    clipNorm: 1,
    group: (param) => ({
      weightDecay: param.shape.length > 1 ? 0.01 : 0,
      learningRateFactor: param.path.startsWith("encoder") ? 0.5 : 1,
    }),
  });
}

/** A batch for any step of ours, keyed by its number: images, labels in blocks with some void, and noise. */
export function batchFor({ graph }: TrainStep, step: number): Tensors {
  const batch: Record<string, HostTensor> = {};
  for (const [name, { shape }] of inputsOf(graph)) {
    const draw = random("batch", name, step);
    const floats = (next: () => number): HostTensor => float32(shape, Float32Array.from({ length: size(shape) }, next));
    if (name === "images") batch[name] = floats(draw.normal);
    if (name.startsWith("noise.")) batch[name] = floats(draw.uniform);
    if (name === "labels") batch[name] = blocks(shape);
  }
  return batch;
}

function blocks(shape: Shape): HostTensor {
  const width = shape.at(-1)!;
  const labels = Array.from({ length: size(shape) }, (_, i) => {
    const block = Math.floor((i % width) / 4) + Math.floor(i / width / 4);
    return block % 7 === 6 ? VOID_LABEL : block % 3;
  });
  return int64(shape, labels);
}
