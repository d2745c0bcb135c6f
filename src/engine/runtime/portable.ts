import type { Graph } from "../graph/graph.js";
import { rewritten } from "../graph/rewrite.js";
import { type Attrs, constant, input, type Real, type Value } from "../graph/value.js";
import { frozenBatchNorm } from "../ops/batchNorm.js";
import { and, cast, equal, not, number, square, sub, where } from "../ops/elementwise.js";
import { gather, scatterElements } from "../ops/gather.js";
import { max, mean, min, topK } from "../ops/reduce.js";
import { reshape, stretchTo } from "../ops/shaping.js";
import { float32, type HostTensor, hostTensor, type Tensors, zeros } from "../tensor/hostTensor.js";
import { size } from "../tensor/shape.js";
import { poolGradient } from "./portablePool.js";
import type { Signature } from "./runtime.js";

/**
 * The same program with nothing in it that only the CPU has kernels for, or that WebGPU would send there: batch statistics from
 * BatchNormalization, places of maxima from MaxPool, int64, selection, Or. Slower on the CPU, so only other devices are given it
 * (docs/gpu.md). Whole numbers are int32 in it, inputs and outputs, too.
 */
export const portable = (graph: Graph): Graph =>
  rewritten(graph, { leaf, node: (node, inputs) => rules[node.opType]?.(inputs, node.attrs) ?? null });

function leaf(value: Value): Value {
  if (value.type.dtype !== "int64") return value;
  const { origin } = value;
  if ("constant" in origin) return constant(narrowTensor(origin.constant));
  return "input" in origin ? input(origin.input, { dtype: "int32", shape: value.shape }) : value;
}

type Rule = (inputs: readonly Value[], attrs: Attrs) => readonly Value[] | null;

const rules: Readonly<Record<string, Rule>> = {
  BatchNormalization: batchNorm,
  AddAt: (inputs) => [poolGradient(inputs)],
  Cast: ([x], { dtype }) => (dtype === "int64" ? [cast(x!, "int32")] : null),
  ArgMax: ([x], { axis, keepdims }) => [argmax(x!, Number(axis), keepdims === 1)],
  TopK: ([x], { axis, largest, k }) => {
    const { values, indices } = topK(x!, Number(k), { axis: Number(axis), largest: largest === 1 });
    return [values, cast(indices, "int32")];
  },
  KthLargest: (inputs, { otherwise }) => [kthLargest(inputs, (otherwise as Real).real)],
  Or: ([a, b]) => [not(and(not(a!), not(b!)))],
  ScatterRows: (inputs, { rows }) => [scatterRows(inputs, Number(rows))],
};

function batchNorm([x, weight, bias]: readonly Value[]): Value[] {
  const average = mean(x!, [0, 2, 3]);
  const variance = mean(square(sub(x!, reshape(average, [1, x!.shape[1]!, 1, 1]))), [0, 2, 3]);
  const y = frozenBatchNorm(x!, { weight: weight!, bias: bias! }, { mean: average, variance });
  return [y, average, variance];
}

/** The lowest index whose element equals the largest one. ONNX's own has int64 indices. */
function argmax(x: Value, axis: number, keep: boolean): Value {
  const count = x.shape[axis]!;
  const along = x.shape.map((_, i) => (i === axis ? count : 1));
  const indices = constant(
    float32(
      along,
      Float32Array.from({ length: count }, (_, i) => i),
    ),
  );
  const wins = equal(x, max(x, [axis], { keep: true }));
  return cast(min(where(wins, indices, number(count - 1)), [axis], { keep }), "int32");
}

/** By sorting all elements, with those that take no part at the end: shapes then do not depend on how many do. */
function kthLargest([x, among, k]: readonly Value[], otherwise: number): Value {
  const { values } = topK(where(among!, x!, number(otherwise)), size(x!.shape), { axis: 0, sorted: true });
  const last = sub(k!, constant(hostTensor("int32", [], Int32Array.of(1))));
  return reshape(gather(values, last, 0), []);
}

/** ScatterND takes int64 indices only. */
function scatterRows([indices, dy]: readonly Value[], rows: number): Value {
  const [count, ...rest] = dy!.shape;
  const places = stretchTo(reshape(indices!, [count!, ...rest.map(() => 1)]), dy!.shape);
  return scatterElements(constant(zeros({ dtype: dy!.type.dtype, shape: [rows, ...rest] })), places, dy!, 0);
}

/**
 * An int64 tensor in int32: its lower half. WebGPU has no int64: whole numbers (labels, classes, counts) are int32 there, and int64 for
 * everybody outside. Ours are far below 2^31.
 */
export function narrowTensor(tensor: HostTensor): HostTensor {
  const { dtype, shape, data } = tensor;
  if (dtype !== "int64") return tensor;
  const halves = new Int32Array(data.buffer, data.byteOffset, 2 * data.length);
  return hostTensor(
    "int32",
    shape,
    Int32Array.from({ length: data.length }, (_, i) => halves[2 * i]!),
  );
}

export const narrowAll = (tensors: Tensors): Tensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, narrowTensor(tensor)]));

/** Results as their signature has them. */
export const widenAll = (results: Tensors, { outputs }: Signature): Record<string, HostTensor> =>
  Object.fromEntries(
    Object.entries(results).map(([name, tensor]) => {
      const { shape, data } = tensor;
      const isWide = outputs.get(name)?.dtype === "int64" && data instanceof Int32Array;
      return [name, isWide ? hostTensor("int64", shape, BigInt64Array.from(data, BigInt)) : tensor];
    }),
  );
