import { readdirSync, readFileSync } from "node:fs";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { input } from "../graph/value.js";
import { exp } from "../ops/elementwise.js";
import { readModel } from "./readModel.js";
import {
  AttributeProtoSchema,
  FunctionProtoSchema,
  type GraphProto,
  type ModelProto,
  ModelProtoSchema,
  NodeProtoSchema,
  SparseTensorProtoSchema,
  TensorProtoSchema,
  TrainingInfoProtoSchema,
} from "./schema/onnx_pb.js";
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

const outside = create(TensorProtoSchema, { name: "w", dataLocation: 1 });
const listed = create(TensorProtoSchema, { name: "w", externalData: [{ key: "location", value: "secret.txt" }] });

test("F3: a model that would open another file is refused, whichever tensor is to hold it", () => {
  const constant = (attribute: object) =>
    create(NodeProtoSchema, { opType: "Constant", attribute: [attribute as never] });
  const changes: ((graph: GraphProto) => void)[] = [outside, listed].flatMap((w) => [
    (graph: GraphProto) => void graph.initializer.push(w),
    (graph: GraphProto) => void graph.sparseInitializer.push(create(SparseTensorProtoSchema, { values: w })),
    (graph: GraphProto) => void graph.sparseInitializer.push(create(SparseTensorProtoSchema, { indices: w })),
    (graph: GraphProto) => void graph.node.push(constant(create(AttributeProtoSchema, { name: "value", t: w }))),
    (graph: GraphProto) => void graph.node.push(constant(create(AttributeProtoSchema, { tensors: [w] }))),
    (graph: GraphProto) =>
      void graph.node.push(constant(create(AttributeProtoSchema, { sparseTensor: { values: w } }))),
  ]);
  for (const change of changes) {
    expect(() =>
      readModel(
        changed(({ graph }) => change(graph!)),
        "m.onnx",
      ),
    ).toThrow('m.onnx keeps "w" in another file');
  }
});

test("F3, F7: a model with ops of somebody's own, graphs in its nodes, loops or functions is refused", () => {
  const node = (parts: object) => changed(({ graph }) => void graph!.node.push(create(NodeProtoSchema, parts)));
  const refused: [Uint8Array, string][] = [
    [node({ opType: "Shell", domain: "com.evil" }), 'm.onnx needs "Shell" of com.evil'],
    [node({ opType: "Loop", name: "l" }), 'm.onnx has a node "l" of kind "Loop"'],
    [node({ opType: "If", name: "i" }), 'm.onnx has a node "i" of kind "If"'],
    [node({ opType: "Scan", name: "s" }), 'm.onnx has a node "s" of kind "Scan"'],
    [
      node({ opType: "Add", name: "a", attribute: [{ name: "body", g: {} }] }),
      'm.onnx has a graph within its node "a"',
    ],
    [
      changed((model) => void model.functions.push(create(FunctionProtoSchema, { name: "f" }))),
      'a function of its own, "f"',
    ],
    [changed((model) => void model.trainingInfo.push(create(TrainingInfoProtoSchema, {}))), "has a graph for training"],
  ];
  for (const [bytes, why] of refused) expect(() => readModel(bytes, "m.onnx"), why).toThrow(why);
});

test("every op that is written is known to the reader", () => {
  // A name of an op is written as node("Name", …) or step("Name", …), or is that of a definition that writes itself.
  const sources = readdirSync("src/engine/ops").filter((name) => !name.includes(".test."));
  const text = sources.map((name) => readFileSync(`src/engine/ops/${name}`, "utf8")).join("\n");
  const written = new Set([...text.matchAll(/\b(?:node|step)\(\s*"([A-Z]\w*)"/g)].map(([, name]) => name!));
  expect(written.size).toBeGreaterThan(15);
  for (const opType of written) {
    const bytes = changed(({ graph }) => void graph!.node.push(create(NodeProtoSchema, { opType })));
    expect(() => readModel(bytes, "m.onnx"), opType).not.toThrow();
  }
});

test("what is no model is refused by name", () => {
  expect(() => readModel(Uint8Array.from(Buffer.from("no model at all")), "notes.txt")).toThrow(
    "notes.txt is not an ONNX",
  );
  expect(() => readModel(new Uint8Array(), "empty.onnx")).toThrow("empty.onnx is an ONNX file without a graph");
});
