import { readFileSync } from "node:fs";
import { gradients } from "../src/engine/autodiff/gradients.js";
import { constant, input, type Value } from "../src/engine/graph/value.js";
import { batchNorm, frozenBatchNorm, movedStatistics } from "../src/engine/ops/batchNorm.js";
import { conv2d } from "../src/engine/ops/conv.js";
import * as elementwise from "../src/engine/ops/elementwise.js";
import { gather, gatherElements } from "../src/engine/ops/gather.js";
import { matmul } from "../src/engine/ops/matmul.js";
import { averagePool, globalAveragePool, maxPool } from "../src/engine/ops/pool.js";
import * as reduce from "../src/engine/ops/reduce.js";
import { cropAndResize, resizeBilinear } from "../src/engine/ops/resize.js";
import { concat, cut, flip, pad, reshape, slice, transpose } from "../src/engine/ops/shaping.js";
import { float32, floats, type HostTensor, type Tensors } from "../src/engine/tensor/hostTensor.js";
import { interpolation } from "../src/engine/tensor/interpolation.js";
import { readSafetensors } from "../src/engine/tensor/safetensors.js";
import { reduced, size } from "../src/engine/tensor/shape.js";
import { crossEntropy } from "../src/networks/losses/crossEntropy.js";
import { relativeDistance } from "./expectGradient.js";

/** Numbers recorded from PyTorch in double precision; fixtures/torch/README.md says how. */
interface Recorded {
  readonly name: string;
  readonly op: string;
  readonly attrs: Attrs;
  readonly inputs: readonly string[];
  readonly gradients: readonly string[];
  readonly also?: readonly string[];
}
// biome-ignore lint/suspicious/noExplicitAny: recorded attributes differ from op to op
type Attrs = any;
type Build = (inputs: Value[], attrs: Attrs) => Value | Record<string, Value>;

const folder = new URL("fixtures/torch/", import.meta.url);
const recorded: readonly Recorded[] = JSON.parse(readFileSync(new URL("ops.json", folder), "utf8"));
const { tensors } = readSafetensors(readFileSync(new URL("ops.safetensors", folder)), "ops.safetensors");

const [unary, binary] = [
  (f: (x: Value) => Value): Build =>
    ([x]) =>
      f(x!),
  (f: (a: Value, b: Value) => Value): Build =>
    ([a, b]) =>
      f(a!, b!),
];
const reduction =
  (f: typeof reduce.sum): Build =>
  ([x], { axes, keepdims }) =>
    f(x!, axes, { keep: keepdims });

/** Our spelling of each recorded op. */
const ours: Record<string, Build> = {
  abs: unary(elementwise.abs),
  add: binary(elementwise.add),
  avg_pool: ([x], { kernel }) => averagePool(x!, kernel[0]),
  batch_norm([input, weight, bias, mean, variance], { statistics, keep }) {
    const [rows, channels, ...space] = input!.shape;
    const x = reshape(input!, [rows!, channels!, space[0] ?? 1, space[1] ?? 1]);
    const parameters = { weight: weight!, bias: bias! };
    if (statistics === "running") {
      return reshape(frozenBatchNorm(x, parameters, { mean: mean!, variance: variance! }), input!.shape);
    }
    const { y, batch } = batchNorm(x, parameters);
    const moved = movedStatistics({ mean: mean!, variance: variance! }, batch, size(x.shape) / channels!, keep);
    return { y: reshape(y, input!.shape), next_mean: moved.mean, next_variance: moved.variance };
  },
  clip: ([x], { low, high }) => elementwise.clip(x!, low, high ?? 3e38),
  concat: (inputs, { axis }) => concat(inputs, axis),
  conv2d: ([x, w, bias], { stride, padding, dilation, groups }) =>
    conv2d(x!, w!, { stride: stride[0], padding: padding[0], dilation: dilation[0], groups }, bias),
  crop_resize([x], { boxes, size: [height, width] }) {
    const stack = (pixels: number, samples: number, start: number, length: number): Value => {
      const matrices = boxes.map((box: number[]) =>
        interpolation(pixels, samples, "corners", { start: box[start]!, length: box[length]! }),
      );
      const all = matrices.flatMap(({ data }: HostTensor) => [...data]);
      return constant(float32([boxes.length, samples, pixels], all));
    };
    return cropAndResize(x!, stack(x!.shape[2]!, height, 0, 2), stack(x!.shape[3]!, width, 1, 3));
  },
  cross_entropy: ([logits, labels]) => crossEntropy(logits!, labels!),
  div: binary(elementwise.div),
  exp: unary(elementwise.exp),
  gather: ([x, indices], { axis }) => gather(x!, indices!, axis),
  gather_along: ([x, indices], { axis }) => gatherElements(x!, indices!, axis),
  global_average_pool: unary(globalAveragePool),
  l2_normalize: ([x], { axis }) => reduce.l2Normalise(x!, axis),
  leaky_relu: ([x], { slope }) => elementwise.leakyRelu(x!, slope),
  log: unary(elementwise.log),
  log_softmax: ([x], { axis }) => reduce.logSoftmax(x!, axis),
  logsumexp: ([x], { axes, keepdims }) => reshape(reduce.logSumExp(x!, axes), reduced(x!.shape, axes, keepdims)),
  matmul: binary(matmul),
  max_pool: ([x], { kernel, stride, padding }) =>
    maxPool(x!, { kernel: kernel[0], stride: stride[0], padding: padding[0] }),
  maximum: binary(elementwise.maximum),
  minimum: binary(elementwise.minimum),
  mul: binary(elementwise.mul),
  neg: unary(elementwise.neg),
  pad: ([x], { before, after, value }) => elementwise.shift(pad(elementwise.shift(x!, -value), before, after), value),
  pow: ([x], { exponent }) => elementwise.pow(x!, exponent),
  reduce_max: reduction(reduce.max),
  reduce_mean: reduction(reduce.mean),
  reduce_min: reduction(reduce.min),
  reduce_sum: reduction(reduce.sum),
  relu: unary(elementwise.relu),
  reshape: ([x], { shape }) => reshape(x!, shape),
  resize: ([x], { size: [height, width], align_corners }) =>
    resizeBilinear(x!, [height, width], align_corners ? "corners" : "centres"),
  sigmoid: unary(elementwise.sigmoid),
  slice([x], { axes, starts, ends, steps }) {
    if (steps[0] === -1) return slice(flip(x!, axes), axes[0], 0, starts[0] - ends[0]);
    return cut(
      x!,
      axes.map((axis: number, i: number) => ({ axis, start: starts[i], end: ends[i], step: steps[i] })),
    );
  },
  softmax: ([x], { axis }) => reduce.softmax(x!, axis),
  sqrt: unary(elementwise.sqrt),
  sub: binary(elementwise.sub),
  tanh: unary(elementwise.tanh),
  transpose: ([x], { permutation }) => transpose(x!, permutation),
  where: ([condition, a, b]) => elementwise.where(condition!, a!, b!),
};

/** One op as PyTorch computed it: our program for its value and gradients, what it is fed, and what should come out. */
export interface OpCase {
  readonly name: string;
  readonly outputs: Readonly<Record<string, Value>>;
  readonly feeds: Tensors;
  readonly wanted: Tensors;
}

export const opCases: readonly OpCase[] = recorded.map(({ name, op, attrs, inputs: keys, gradients: asked, also }) => {
  const at = (tensor: string): HostTensor => tensors[`${name}/${tensor}`]!;
  const taken = (names: readonly string[]): Tensors => Object.fromEntries(names.map((key) => [key, at(key)]));
  const inputs = keys.map((key) => input(key, at(key)));
  const built = ours[op]!(inputs, attrs);
  const made = "y" in built ? built : { y: built as Value };
  const loss = reduce.sum(elementwise.mul(made.y!, constant(at("dy"))));
  const grads = gradients(
    loss,
    asked.map((key) => inputs[keys.indexOf(key)]!),
  );
  return {
    name,
    outputs: { ...made, ...Object.fromEntries(asked.map((key, i) => [`grad/${key}`, grads[i]!])) },
    feeds: taken(keys),
    wanted: taken(["y", ...(also ?? []), ...asked.map((key) => `grad/${key}`)]),
  };
});

/** Length of the difference in lengths of what was wanted; where that is nothing, the length itself. */
export function distance(found: HostTensor, wanted: HostTensor, name: string): number {
  const [a, b] = [floats(found, name), floats(wanted, name)];
  return Math.hypot(...b) < 1e-6 ? Math.hypot(...a) : relativeDistance(a, b);
}
