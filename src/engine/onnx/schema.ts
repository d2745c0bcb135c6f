import { bytes, float, int32, int64, type Message, message, name, optional, repeated, text } from "./protobuf.js";

/**
 * ONNX's file format (onnx.proto, IR version 8): the fields that we write, or must look at before a runtime opens a file. Numbers and
 * names are those of the standard.
 */

/** TensorProto.DataType */
export const DataType = {
  FLOAT: 1,
  UINT8: 2,
  INT8: 3,
  INT32: 6,
  INT64: 7,
  BOOL: 9,
  FLOAT16: 10,
};

/** AttributeProto.AttributeType */
export const AttributeType = { FLOAT: 1, INT: 2, STRING: 3, INTS: 7 };

/** TensorProto.DataLocation: in a file of its own. */
export const EXTERNAL = 1;

const stringEntry = { key: name(1), value: optional(2, text) };

export const tensorProto = {
  dims: repeated(1, int64),
  dataType: optional(2, int32),
  name: name(8),
  rawData: optional(9, bytes),
  externalData: repeated(13, message(stringEntry)),
  dataLocation: optional(14, int32),
};

export const sparseTensorProto = {
  values: optional(1, message(tensorProto)),
  indices: optional(2, message(tensorProto)),
};

export const attributeProto = {
  name: name(1),
  f: optional(2, float),
  i: optional(3, int64),
  s: optional(4, bytes),
  t: optional(5, message(tensorProto)),
  /** A graph within a node: never looked into. */
  g: optional(6, bytes),
  ints: repeated(8, int64),
  tensors: repeated(10, message(tensorProto)),
  graphs: repeated(11, bytes),
  type: optional(20, int32),
  sparseTensor: optional(22, message(sparseTensorProto)),
  sparseTensors: repeated(23, message(sparseTensorProto)),
};

export const nodeProto = {
  input: repeated(1, text),
  output: repeated(2, text),
  name: name(3),
  opType: name(4),
  attribute: repeated(5, message(attributeProto)),
  domain: name(7),
};

const dimension = { dimValue: optional(1, int64), dimParam: optional(2, text) };
const tensorShape = { dim: repeated(1, message(dimension)) };
const tensorType = { elemType: optional(1, int32), shape: optional(2, message(tensorShape)) };
const typeProto = { tensorType: optional(1, message(tensorType)) };

export const valueInfoProto = { name: name(1), type: optional(2, message(typeProto)) };

export const graphProto = {
  node: repeated(1, message(nodeProto)),
  name: name(2),
  initializer: repeated(5, message(tensorProto)),
  input: repeated(11, message(valueInfoProto)),
  output: repeated(12, message(valueInfoProto)),
  sparseInitializer: repeated(15, message(sparseTensorProto)),
};

const operatorSet = { domain: optional(1, text), version: optional(2, int64) };
const functionProto = { name: name(1) };

export const modelProto = {
  irVersion: optional(1, int64),
  producerName: optional(2, text),
  graph: optional(7, message(graphProto)),
  opsetImport: repeated(8, message(operatorSet)),
  metadataProps: repeated(14, message(stringEntry)),
  trainingInfo: repeated(20, bytes),
  functions: repeated(25, message(functionProto)),
};

export type TensorProto = Message<typeof tensorProto>;
export type SparseTensorProto = Message<typeof sparseTensorProto>;
export type AttributeProto = Message<typeof attributeProto>;
export type NodeProto = Message<typeof nodeProto>;
export type ValueInfoProto = Message<typeof valueInfoProto>;
export type GraphProto = Message<typeof graphProto>;
export type ModelProto = Message<typeof modelProto>;
