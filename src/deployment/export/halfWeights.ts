import type { Graph } from "../../engine/graph/graph.js";
import { rewritten } from "../../engine/graph/rewrite.js";
import { constant, type Value } from "../../engine/graph/value.js";
import { cast } from "../../engine/ops/elementwise.js";
import { toHalf } from "../../engine/tensor/half.js";
import { hostTensor } from "../../engine/tensor/hostTensor.js";

/** Constants of fewer elements are not worth a node that unpacks them. */
const LARGE = 1024;

/**
 * The same program with its weights stored in half precision, which halves the file. They are unpacked once, when the model is
 * loaded, and computed with in single precision: processors have no faster way for halves.
 */
export const halfWeights = (graph: Graph): Graph => rewritten(graph, { leaf: stored });

function stored(leaf: Value): Value {
  if (!("constant" in leaf.origin)) return leaf;
  const { data, shape } = leaf.origin.constant;
  if (!(data instanceof Float32Array) || data.length < LARGE) return leaf;
  const halves = new Uint16Array(data.length);
  for (let i = 0; i < halves.length; i++) halves[i] = toHalf(data[i]!);
  return cast(constant(hostTensor("float16", shape, halves)), "float32");
}
