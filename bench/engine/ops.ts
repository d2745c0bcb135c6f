import type { Value } from "../../src/engine/graph/value.js";
import { batchNorm } from "../../src/engine/ops/batchNorm.js";
import { conv2d } from "../../src/engine/ops/conv.js";
import { relu } from "../../src/engine/ops/elementwise.js";
import { maxPool } from "../../src/engine/ops/pool.js";
import { l2Normalise } from "../../src/engine/ops/reduce.js";
import { resizeBilinear } from "../../src/engine/ops/resize.js";
import { crossEntropy } from "../../src/networks/losses/crossEntropy.js";

/** One op at one size, named and described as in the fixtures' reference_ops.py. */
export interface OpCase {
  readonly name: string;
  readonly attrs: OpAttrs;
  readonly shapes: Readonly<Record<string, readonly number[]>>;
}
export interface OpAttrs {
  readonly stride?: readonly [number, number];
  readonly padding?: readonly [number, number];
  readonly dilation?: readonly [number, number];
  readonly kernel?: readonly [number, number];
  readonly groups?: number;
  readonly size?: readonly [number, number];
  readonly align_corners?: boolean;
  readonly statistics?: "batch";
  readonly axis?: number;
}

/** Our spelling of each timed op. */
export const ourOps: Readonly<Record<string, (inputs: readonly Value[], attrs: OpAttrs) => Value>> = {
  conv2d: ([x, w], { stride = [1, 1], padding = [0, 0], dilation = [1, 1], groups = 1 }) =>
    conv2d(x!, w!, { stride: stride[0], padding: padding[0], dilation: dilation[0], groups, learned: true }),
  batch_norm: ([x, weight, bias]) => batchNorm(x!, { weight: weight!, bias: bias! }).y,
  relu: ([x]) => relu(x!),
  max_pool: ([x], { kernel, stride, padding }) =>
    maxPool(x!, { kernel: kernel![0], stride: stride![0], padding: padding![0] }),
  resize: ([x], { size, align_corners }) => resizeBilinear(x!, size!, align_corners ? "corners" : "centres"),
  cross_entropy: ([logits, labels]) => crossEntropy(logits!, labels!),
  l2_normalize: ([x], { axis }) => l2Normalise(x!, axis!),
};

const conv = (x: readonly number[], w: readonly number[], attrs: OpAttrs): OpCase => ({
  name: "conv2d",
  attrs,
  shapes: { x, w },
});

/** The convolutions of ResNet18-DeepLabV3+ at 8 x 3 x 128 x 256, and what stands between them. */
export const opCases: Readonly<Record<string, OpCase>> = {
  "conv1 7x7 /2": conv([8, 3, 128, 256], [64, 3, 7, 7], { stride: [2, 2], padding: [3, 3] }),
  "layer1 3x3": conv([8, 64, 32, 64], [64, 64, 3, 3], { padding: [1, 1] }),
  "layer2 3x3": conv([8, 128, 16, 32], [128, 128, 3, 3], { padding: [1, 1] }),
  "layer2 3x3 /2": conv([8, 64, 32, 64], [128, 64, 3, 3], { stride: [2, 2], padding: [1, 1] }),
  "layer3 3x3": conv([8, 256, 8, 16], [256, 256, 3, 3], { padding: [1, 1] }),
  "layer4 3x3 dilated": conv([8, 512, 8, 16], [512, 512, 3, 3], { padding: [2, 2], dilation: [2, 2] }),
  "aspp depthwise dilated 12": conv([8, 512, 8, 16], [512, 1, 3, 3], {
    padding: [12, 12],
    dilation: [12, 12],
    groups: 512,
  }),
  "decoder depthwise": conv([8, 304, 32, 64], [304, 1, 3, 3], { padding: [1, 1], groups: 304 }),
  "decoder 1x1": conv([8, 304, 32, 64], [256, 304, 1, 1], {}),
  "batch norm": {
    name: "batch_norm",
    attrs: { statistics: "batch" },
    shapes: { x: [8, 64, 64, 128], scale: [64], bias: [64], mean: [64], variance: [64] },
  },
  relu: { name: "relu", attrs: {}, shapes: { x: [8, 64, 64, 128] } },
  "max pool 3x3 /2": {
    name: "max_pool",
    attrs: { kernel: [3, 3], stride: [2, 2], padding: [1, 1] },
    shapes: { x: [8, 64, 64, 128] },
  },
  "resize x4": { name: "resize", attrs: { size: [32, 64], align_corners: true }, shapes: { x: [8, 256, 8, 16] } },
  "cross entropy": { name: "cross_entropy", attrs: {}, shapes: { logits: [8, 19, 128, 256], labels: [8, 128, 256] } },
  "l2 normalise": { name: "l2_normalize", attrs: { axis: 1 }, shapes: { x: [8, 256, 32, 64] } },
};
