import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { input } from "../graph/value.js";
import { exp } from "../ops/elementwise.js";
import { readModel } from "./readModel.js";
import { type ModelProto, ModelProtoSchema, NodeProtoSchema, TensorProtoSchema } from "./schema/onnx_pb.js";
import { writeModel } from "./writeModel.js";

const x = input("x", { dtype: "float32", shape: [2] });
const plain = writeModel({ outputs: { y: exp(x) } }, { metadata: { gamma: "0.7" } }).bytes;
const changed = (change: (model: ModelProto) => void): Uint8Array => {
  const model = fromBinary(ModelProtoSchema, plain);
  change(model);
  return toBinary(ModelProtoSchema, model);
};

test("a model says what it is", () => {
  const { metadata, nodes, opTypes, inputs, outputs } = readModel(plain, "m.onnx");
  expect({ metadata, nodes, opTypes: [...opTypes], inputs, outputs }).toEqual({
    metadata: { gamma: "0.7" },
    nodes: 1,
    opTypes: ["Exp"],
    inputs: ["x"],
    outputs: ["y"],
  });
});

test("a model that would open another file is refused", () => {
  const bytes = changed(({ graph }) => {
    graph!.initializer.push(create(TensorProtoSchema, { name: "w", dataLocation: 1 }));
  });
  expect(() => readModel(bytes, "m.onnx")).toThrow('m.onnx keeps "w" in another file');
});

test("a model that needs somebody's own ops is refused", () => {
  const bytes = changed(({ graph }) => {
    graph!.node.push(create(NodeProtoSchema, { opType: "Shell", domain: "com.evil" }));
  });
  expect(() => readModel(bytes, "m.onnx")).toThrow('m.onnx needs "Shell" of com.evil');
});

test("what is no model is refused by name", () => {
  expect(() => readModel(Uint8Array.from(Buffer.from("no model at all")), "notes.txt")).toThrow(
    "notes.txt is not an ONNX",
  );
  expect(() => readModel(new Uint8Array(), "empty.onnx")).toThrow("empty.onnx is an ONNX file without a graph");
});
