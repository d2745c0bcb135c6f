import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { input } from "../graph/value.js";
import { exp } from "../ops/elementwise.js";
import { create, decode, encode } from "./protobuf.js";
import { readModel } from "./readModel.js";
import {
  attributeProto,
  DataType,
  type GraphProto,
  type ModelProto,
  modelProto,
  type NodeProto,
  nodeProto,
  sparseTensorProto,
  tensorProto,
} from "./schema.js";
import { writeModel } from "./writeModel.js";

const x = input("x", { dtype: "float32", shape: [2] });
const plain = writeModel({ outputs: { y: exp(x) } }, { metadata: { gamma: "0.7" } }).bytes;
const changed = (change: (model: ModelProto) => void): Uint8Array => {
  const model = decode(modelProto, plain);
  change(model);
  return encode(modelProto, model);
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

const outside = create(tensorProto, { name: "w", dataLocation: 1 });
const listed = create(tensorProto, { name: "w", externalData: [{ key: "location", value: "secret.txt" }] });

test("F3: a model that would open another file is refused, whichever tensor is to hold it", () => {
  const constant = (attribute: NodeProto["attribute"][number]) =>
    create(nodeProto, { opType: "Constant", attribute: [attribute] });
  const changes: ((graph: GraphProto) => void)[] = [outside, listed].flatMap((w) => [
    (graph: GraphProto) => void graph.initializer.push(w),
    (graph: GraphProto) => void graph.sparseInitializer.push(create(sparseTensorProto, { values: w })),
    (graph: GraphProto) => void graph.sparseInitializer.push(create(sparseTensorProto, { indices: w })),
    (graph: GraphProto) => void graph.node.push(constant(create(attributeProto, { name: "value", t: w }))),
    (graph: GraphProto) => void graph.node.push(constant(create(attributeProto, { tensors: [w] }))),
    (graph: GraphProto) =>
      void graph.node.push(
        constant(create(attributeProto, { sparseTensor: create(sparseTensorProto, { values: w }) })),
      ),
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
  const node = (parts: Partial<NodeProto>) => changed(({ graph }) => void graph!.node.push(create(nodeProto, parts)));
  const refused: [Uint8Array, string][] = [
    [node({ opType: "Shell", domain: "com.evil" }), 'm.onnx needs "Shell" of com.evil'],
    [node({ opType: "Loop", name: "l" }), 'm.onnx has a node "l" of kind "Loop"'],
    [node({ opType: "If", name: "i" }), 'm.onnx has a node "i" of kind "If"'],
    [node({ opType: "Scan", name: "s" }), 'm.onnx has a node "s" of kind "Scan"'],
    [
      node({ opType: "Add", name: "a", attribute: [create(attributeProto, { name: "body", g: new Uint8Array() })] }),
      'm.onnx has a graph within its node "a"',
    ],
    [changed((model) => void model.functions.push({ name: "f" })), 'a function of its own, "f"'],
    [changed((model) => void model.trainingInfo.push(new Uint8Array())), "has a graph for training"],
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
    const bytes = changed(({ graph }) => void graph!.node.push(create(nodeProto, { opType })));
    expect(() => readModel(bytes, "m.onnx"), opType).not.toThrow();
  }
});

test("what is no model is refused by name", () => {
  expect(() => readModel(Uint8Array.from(Buffer.from("no model at all")), "notes.txt")).toThrow(
    "notes.txt is not an ONNX",
  );
  expect(() => readModel(new Uint8Array(), "empty.onnx")).toThrow("empty.onnx is an ONNX file without a graph");
});

test("a node that makes much of nothing is refused: its size is a small constant, or follows the image's", () => {
  const sizes = (...values: number[]) =>
    create(tensorProto, {
      name: "size",
      dims: [BigInt(values.length)],
      dataType: DataType.INT64,
      rawData: new Uint8Array(BigInt64Array.from(values, BigInt).buffer),
    });
  const factors = create(tensorProto, {
    name: "size",
    dims: [4n],
    dataType: DataType.FLOAT,
    rawData: new Uint8Array(Float32Array.of(1, 1, 1000, 1000).buffer),
  });
  const sized = (opType: string, input: string[], ...tensors: (typeof factors)[]): Uint8Array =>
    changed(({ graph }) => {
      graph!.node.push(create(nodeProto, { name: "n", opType, input, output: ["big"] }));
      graph!.initializer.push(...tensors);
    });
  for (const [model, why] of [
    [sized("ConstantOfShape", ["size"], sizes(50_000, 30_000)), "for 1500000000 elements, at most 67108864"],
    [sized("Expand", ["x", "size"], sizes(1_500_000_000)), "for 1500000000 elements"],
    [sized("OneHot", ["x", "size", "x"], sizes(1e9)), "for 1000000000 elements"],
    [sized("Tile", ["x", "size"], sizes(1e9)), "for 1000000000 times as many, at most 4096"],
    [sized("Resize", ["x", "", "size"], factors), "for 1000000 times as many"],
    [sized("ConstantOfShape", ["x"]), "whose size is not a constant"],
    [sized("Resize", ["x", "", "", "x"]), "whose size is not a constant"],
    [sized("ConstantOfShape", ["size"], sizes(-1)), "for -1 elements"],
    [
      sized("Expand", ["x", "size"], create(tensorProto, { ...sizes(2), rawData: new Uint8Array(3) })),
      "cannot be read",
    ],
  ] as const) {
    expect(() => readModel(model, "m.onnx"), why).toThrow(why);
  }
  for (const model of [sized("ConstantOfShape", ["size"], sizes(512, 512)), sized("Expand", ["x", "x"])]) {
    expect(readModel(model, "m.onnx").nodes).toBe(2);
  }
});
