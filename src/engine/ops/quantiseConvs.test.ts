import { expect, test } from "vitest";
import { evaluateOnce, relativeDistance } from "../../../test/expectGradient.js";
import { nodesOf } from "../graph/graph.js";
import { constant, input, type Value } from "../graph/value.js";
import { float32, floats, type HostTensor } from "../tensor/hostTensor.js";
import { random } from "../tensor/random.js";
import { type Shape, size } from "../tensor/shape.js";
import { fixedConv } from "./conv.js";
import { add, relu } from "./elementwise.js";
import { throughBytes } from "./quantise.js";
import { quantiseConvs, valuesInBytes } from "./quantiseConvs.js";

const drawn = (name: string, shape: Shape): HostTensor => {
  const { normal } = random(name);
  return float32(shape, Float32Array.from({ length: size(shape) }, normal));
};
const x = input("x", { dtype: "float32", shape: [1, 8, 9, 7] });
const geometry = { stride: 1, padding: 1, dilation: 1, groups: 1 };
const conv = (image: Value, name: string): Value =>
  fixedConv(image, constant(drawn(name, [8, 8, 3, 3])), constant(drawn(`${name} bias`, [8])), geometry);

test("numbers go through bytes to the nearest of 256, and 0 stays 0", async () => {
  const values = float32([5], [-1, 0, 0.3, 2.99, 4]);
  const { y } = await evaluateOnce(
    { y: throughBytes(input("v", { dtype: "float32", shape: [5] }), { low: -1, high: 3 }) },
    { v: values },
  );
  const step = 4 / 255;
  const found = [...floats(y, "y")];
  expect(found[1]).toBe(0);
  [-1, 0, 0.3, 2.99, 3].forEach((wanted, i) => {
    expect(Math.abs(found[i]! - wanted)).toBeLessThanOrEqual(step * 0.51);
  });
});

test("chosen convolutions read and make bytes, behind their ReLU where they have one, and the answer stays near", async () => {
  const first = relu(conv(x, "a"));
  const second = conv(first, "b");
  const graph = { outputs: { y: relu(add(second, first)) } };
  const values = valuesInBytes(graph, () => true);
  expect(values).toEqual(new Set([x, first, second]));
  const feed = { x: drawn("x", x.shape) };
  const open = await evaluateOnce({ first, second, y: graph.outputs.y }, feed);
  const range = (tensor: HostTensor | undefined) => {
    const found = floats(tensor, "range");
    return { low: Math.min(...found), high: Math.max(...found) };
  };
  const ranges = new Map([
    [first, range(open.first)],
    [second, range(open.second)],
  ]);
  const less = quantiseConvs(graph, () => true, ranges);
  const kinds = nodesOf(less).map(({ opType }) => opType);
  expect(kinds.filter((kind) => kind === "QuantizeLinear")).toHaveLength(2);
  expect(kinds.filter((kind) => kind === "DequantizeLinear")).toHaveLength(4);
  const { y } = await evaluateOnce({ y: less.outputs.y! }, feed);
  const distance = relativeDistance(floats(y, "y"), floats(open.y, "y"));
  expect(distance).toBeGreaterThan(1e-4);
  expect(distance).toBeLessThan(0.03);
});

test("what is not chosen stays as it is", () => {
  const graph = { outputs: { y: conv(x, "a") } };
  expect(valuesInBytes(graph, () => false).size).toBe(0);
  expect(quantiseConvs(graph, () => false, new Map()).outputs.y!.node!.opType).toBe("Conv");
});
