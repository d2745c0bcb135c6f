/**
 * A program that differentiates itself: build a graph of ops, take gradients of it, and run it with ONNX Runtime or write it as an
 * ONNX file.
 */

export { gradients } from "./engine/autodiff/gradients.js";
export type { Graph } from "./engine/graph/graph.js";
export { within } from "./engine/graph/path.js";
export { printGraph } from "./engine/graph/print.js";
export { constant, input, type Node, Value } from "./engine/graph/value.js";
export { type ModelFacts, readModel } from "./engine/onnx/readModel.js";
export { type WriteOptions, type WrittenModel, writeModel } from "./engine/onnx/writeModel.js";
export * from "./engine/ops/batchNorm.js";
export { type ConvOptions, conv2d } from "./engine/ops/conv.js";
export * from "./engine/ops/elementwise.js";
export * from "./engine/ops/gather.js";
export * from "./engine/ops/matmul.js";
export * from "./engine/ops/pool.js";
export * from "./engine/ops/reduce.js";
export * from "./engine/ops/resize.js";
export * from "./engine/ops/select.js";
export * from "./engine/ops/shaping.js";
export * from "./engine/ops/withGradient.js";
export { compile, compileGuarded } from "./engine/runtime/compile.js";
export { type NodeRuntimeOptions, nodeRuntime } from "./engine/runtime/node.js";
export type { Program, Runtime, Signature } from "./engine/runtime/runtime.js";
export { webRuntime } from "./engine/runtime/web.js";
export type { OrtWeb } from "./engine/runtime/webInference.js";
export {
  float32,
  floats,
  type HostTensor,
  hostTensor,
  int64,
  scalar,
  type Tensors,
  zeros,
} from "./engine/tensor/hostTensor.js";
export { readSafetensors, type SafetensorsFile, writeSafetensors } from "./engine/tensor/safetensors.js";
export type { DType, Shape, TensorType } from "./engine/tensor/shape.js";
