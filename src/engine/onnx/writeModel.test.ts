import { expect, test } from "vitest";
import { within } from "../graph/path.js";
import { constant, input } from "../graph/value.js";
import { add, exp, filled, mul, number, scale } from "../ops/elementwise.js";
import { maxPool } from "../ops/pool.js";
import { reshape } from "../ops/shaping.js";
import { float32 } from "../tensor/hostTensor.js";
import { decode } from "./protobuf.js";
import { modelProto } from "./schema.js";
import { writeModel } from "./writeModel.js";

const x = input("x", { dtype: "float32", shape: [2, 3] });
const read = (...args: Parameters<typeof writeModel>) => decode(modelProto, writeModel(...args).bytes);

test("nodes are named by their path, and a second one of a name gets a number", () => {
  const y = within("head", () => exp(exp(x)));
  const { graph } = read({ outputs: { y } });
  expect(graph!.node.map(({ name }) => name)).toEqual(["head/Exp", "head/Exp_2"]);
  expect(graph!.node[1]!.output).toEqual(["y"]);
});

test("only what the outputs need is written", () => {
  exp(x);
  const { graph } = read({ outputs: { y: scale(x, 2) } });
  expect(graph!.node.map(({ opType }) => opType)).toEqual(["Mul"]);
});

test("equal constants are stored once, and large zeros not at all", () => {
  const zeros = filled([64, 64], 0);
  const big = input("big", { dtype: "float32", shape: [64, 64] });
  const { graph } = read({ outputs: { y: add(number(2), scale(mul(big, zeros), 2)) } });
  expect(graph!.initializer.filter(({ dataType }) => dataType === 1)).toHaveLength(1);
  expect(graph!.node.map(({ opType }) => opType)).toContain("ConstantOfShape");
});

test("optional outputs are left out where nothing reads them", () => {
  const image = input("image", { dtype: "float32", shape: [1, 1, 4, 4] });
  const { graph } = read({ outputs: { y: maxPool(image, { kernel: 2, stride: 2, padding: 0 }) } });
  expect(graph!.node[0]!.output).toEqual(["y"]);
});

test("withheld shapes become inputs, and no tensor says its size", () => {
  const graph = { outputs: { y: reshape(x, [6]) } };
  const { given } = writeModel(graph, { shapes: "withheld" });
  expect(Object.keys(given)).toEqual(["shape[6]"]);
  const told = read(graph, { shapes: "told" }).graph!;
  const withheld = read(graph, { shapes: "withheld" }).graph!;
  expect(told.input.map(({ name }) => name)).toEqual(["x"]);
  expect(withheld.input.map(({ name }) => name)).toEqual(["x", "shape[6]"]);
  const shapes = (model: typeof told) => model.input.map(({ type }) => type!.tensorType!.shape?.dim.length);
  expect(shapes(told)).toEqual([2]);
  expect(shapes(withheld)).toEqual([undefined, undefined]);
});

test("extents that are left open are written by their names, and must be those the graph was built with", () => {
  const graph = { outputs: { y: exp(x) } };
  const { input: inputs } = read(graph, { open: { x: ["n", 3], y: ["n", 3] } }).graph!;
  const { dim } = inputs[0]!.type!.tensorType!.shape!;
  expect(dim.map(({ dimValue, dimParam }) => dimParam ?? dimValue)).toEqual(["n", 3n]);
  expect(() => writeModel(graph, { open: { x: ["n", 4], y: ["n", 4] } })).toThrow(
    '"x" was built as float32[2, 3], not as float32[n, 4]',
  );
});

test("constants go by the first node that reads them", () => {
  const y = within("head", () => add(exp(x), constant(float32([3], [1, 2, 3]))));
  expect(read({ outputs: { y } }).graph!.initializer.map(({ name }) => name)).toEqual(["head/Add.constant"]);
});

test("metadata, producer and versions are in the model", () => {
  const model = read({ outputs: { y: exp(x) } }, { metadata: { gamma: "0.7" } });
  expect(model.metadataProps.map(({ key, value }) => [key, value])).toEqual([["gamma", "0.7"]]);
  expect([model.producerName, model.irVersion, model.opsetImport[0]!.version]).toEqual(["gamma-ssl", 8n, 17n]);
});

test("a name that means two things is refused", () => {
  const other = input("x", { dtype: "float32", shape: [1] });
  expect(() => writeModel({ outputs: { y: add(x, other) } })).toThrow(
    'two different inputs are called "x": float32[2, 3] and float32[1]',
  );
  expect(() => writeModel({ outputs: { x: exp(x) } })).toThrow('an input and an output are both called "x"');
});

test("the same graph is the same bytes", () => {
  const build = () => writeModel({ outputs: { y: add(exp(x), constant(float32([3], [1, 2, 3]))) } }).bytes;
  expect(build()).toEqual(build());
});
