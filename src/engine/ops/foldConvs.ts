import type { Graph } from "../graph/graph.js";
import { within } from "../graph/path.js";
import { rewritten } from "../graph/rewrite.js";
import { constant, type Node, type Value } from "../graph/value.js";
import { float32 } from "../tensor/hostTensor.js";
import { fixedConv, plainConv } from "./conv.js";
import { type Geometry, geometryOf } from "./convGeometry.js";

/**
 * Convolutions with everything linear around them taken in: a factor for each channel before them, a factor and an offset for
 * each channel behind them, which is what a batch norm at rest is. Only where filters and factors are constants (`bindInputs`).
 */
export const foldConvs = (graph: Graph): Graph =>
  rewritten(graph, { node: (node, inputs) => within(pathOf(node, inputs), () => folded(node, inputs)) });

/** What is taken into a convolution goes by the name of the convolution. */
function pathOf(node: Node, inputs: readonly Value[]): string {
  const conv = inputs.find((value) => value.node !== null && geometryOf(value.node) !== null);
  return geometryOf(node) === null && conv !== undefined ? conv.node!.path : node.path;
}

function folded(node: Node, inputs: readonly Value[]): readonly Value[] | null {
  const geometry = geometryOf(node);
  if (geometry !== null) return scaledBefore(inputs, geometry);
  if (node.opType === "ChannelAffine") return scaledBehind(inputs);
  if (node.opType === "Add") return shiftedBehind(inputs) ?? shiftedBehind(inputs.toReversed());
  return null;
}

/** A convolution whose filter is known. */
interface Known {
  readonly x: Value;
  readonly filter: Float32Array;
  readonly shape: readonly number[];
  readonly bias: Float32Array;
  readonly geometry: Geometry;
}

function known({ node }: Value): Known | null {
  const geometry = node === null ? null : geometryOf(node);
  if (node === null || geometry === null) return null;
  const filter = numbers(node.inputs[1]!);
  const bias = node.inputs[2] === undefined ? new Float32Array(node.inputs[1]!.shape[0]!) : numbers(node.inputs[2]);
  if (filter === null || bias === null) return null;
  return { x: node.inputs[0]!, filter, shape: node.inputs[1]!.shape, bias, geometry };
}

function scaledBehind([y, factors, offsets]: readonly Value[]): readonly Value[] | null {
  const conv = known(y!);
  const [factor, offset] = [numbers(factors!), numbers(offsets!)];
  if (conv === null || factor === null || offset === null) return null;
  const each = conv.filter.length / factor.length; // elements of one filter
  return remade(
    conv,
    conv.filter.map((weight, i) => weight * factor[Math.floor(i / each)]!),
    conv.bias.map((bias, i) => bias * factor[i]! + offset[i]!),
  );
}

function shiftedBehind([y, offsets]: readonly Value[]): readonly Value[] | null {
  const conv = known(y!);
  const offset = channelNumbers(offsets!, y!);
  if (conv === null || offset === null) return null;
  return remade(
    conv,
    conv.filter,
    conv.bias.map((bias, i) => bias + offset[i]!),
  );
}

/** Padding is with zeros, which a factor leaves alone; an offset before a convolution could not be taken in. */
function scaledBefore([x, filters, biases]: readonly Value[], geometry: Geometry): readonly Value[] | null {
  const filter = numbers(filters!);
  if (x!.node?.opType !== "Mul" || filter === null || geometry.groups !== 1) return null;
  const [left, right] = x!.node.inputs as [Value, Value];
  const factor = channelNumbers(right, left);
  if (factor === null) return null;
  const [, channels, height, width] = filters!.shape as [number, number, number, number];
  const scaled = filter.map((weight, i) => weight * factor[Math.floor(i / (height * width)) % channels]!);
  const weight = constant(float32(filters!.shape, scaled));
  return [biases === undefined ? plainConv(left, weight, geometry) : fixedConv(left, weight, biases, geometry)];
}

/** The same convolution with another filter and bias. */
function remade({ x, shape, geometry }: Known, filter: Float32Array, bias: Float32Array): readonly Value[] {
  return [fixedConv(x, constant(float32(shape, filter)), constant(float32([bias.length], bias)), geometry)];
}

/** The elements of a float constant. */
function numbers({ origin }: Value): Float32Array | null {
  return "constant" in origin && origin.constant.data instanceof Float32Array ? origin.constant.data : null;
}

/** The same for a constant that has one number for each channel of x [N, C, H, W]: [1, C, 1, 1]. */
function channelNumbers(value: Value, x: Value): Float32Array | null {
  const [n, c, h, w] = value.shape;
  return value.shape.length === 4 && n === 1 && c === x.shape[1] && h === 1 && w === 1 ? numbers(value) : null;
}
