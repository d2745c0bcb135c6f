import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { input } from "../../engine/graph/value.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { kaimingNormal, kaimingUniform, xavierUniform } from "./init.js";
import { BatchNorm2d, ChannelDropout, Conv2d, Dropout } from "./layers.js";
import { inferencePass, PassRecorder } from "./pass.js";
import { Scope } from "./scope.js";

const x = input("x", { dtype: "float32", shape: [1, 1, 1, 4] });

test("dropout zeroes what the noise says and scales up the rest, and does nothing at rest", async () => {
  const recorder = new PassRecorder();
  const dropped = new Dropout(0.5).forward(x, recorder.pass());
  const feeds = { x: float32(x.shape, [1, 2, 3, 4]), "noise.0": float32(x.shape, [0.1, 0.5, 0.49, 0.9]) };
  expect([...floats((await evaluateOnce({ y: dropped }, feeds)).y, "y")]).toEqual([0, 4, 0, 8]);
  expect(new Dropout(0.5).forward(x, inferencePass)).toBe(x);
  expect(new Dropout(0.5).forward(x, recorder.pass({ dropout: "off" }))).toBe(x);
  expect(recorder.noises).toHaveLength(1);
});

test("channel dropout zeroes whole channels, also in a draw of MC dropout, where plain dropout rests", async () => {
  const image = input("x", { dtype: "float32", shape: [1, 2, 1, 2] });
  const recorder = new PassRecorder();
  const draw = recorder.draw();
  const dropped = new ChannelDropout(0.2).forward(image, draw);
  const feeds = { x: float32(image.shape, [1, 2, 3, 4]), "noise.0": float32([1, 2, 1, 1], [0.1, 0.2]) };
  expect([...floats((await evaluateOnce({ y: dropped }, feeds)).y, "y")]).toEqual([0, 0, 3.75, 5]);
  expect(new Dropout(0.5).forward(image, draw)).toBe(image);
  expect(new ChannelDropout(0.2).forward(image, inferencePass)).toBe(image);
  expect(recorder.noises.map((noise) => noise.shape)).toEqual([[1, 2, 1, 1]]);
  expect([draw.learning, draw.batchNorm]).toEqual([false, "running"]);
  expect(recorder.updates.size).toBe(0);
});

test("a rate that would drop everything is refused", () => {
  expect(() => new ChannelDropout(1)).toThrow("a dropout rate is 1, wanted at least 0 and below 1");
});

test("running statistics move through the passes of a step in order, and stay where asked to", async () => {
  const norm = new BatchNorm2d(new Scope().child("norm"), 1);
  const recorder = new PassRecorder();
  const other = input("other", { dtype: "float32", shape: [1, 1, 1, 2] });
  norm.forward(x, recorder.pass());
  norm.forward(other, recorder.pass());
  norm.forward(other, recorder.pass({ keepStatistics: true }));
  const [mean] = [...recorder.updates].filter(([param]) => param.path === "norm.running_mean").map(([, next]) => next);
  const feeds = {
    x: float32(x.shape, [1, 1, 3, 3]),
    other: float32([1, 1, 1, 2], [10, 20]),
    "norm.weight": float32([1], [1]),
    "norm.bias": float32([1], [0]),
    "norm.running_mean": float32([1], [0]),
    "norm.running_var": float32([1], [1]),
  };
  const result = await evaluateOnce({ next: mean! }, feeds);
  expect(floats(result.next, "mean")[0]).toBeCloseTo(0.9 * (0.1 * 2) + 0.1 * 15, 5);
});

test("parameters are named by their place, each once", () => {
  const scope = new Scope();
  new Conv2d(scope.child("head").child(0), { in: 2, out: 3, kernel: 1, bias: true });
  expect(scope.params.map(({ path, shape, trained }) => [path, shape, trained])).toEqual([
    ["head.0.weight", [3, 2, 1, 1], true],
    ["head.0.bias", [3], true],
  ]);
  expect(() => new Conv2d(scope.child("head").child(0), { in: 2, out: 3, kernel: 1 })).toThrow(
    'two parameters are called "head.0.weight"',
  );
});

test("first weights have the spread their rule asks for, and depend on seed and path alone", () => {
  const shape = [64, 32, 3, 3];
  const deviation = (values: Float32Array) =>
    Math.sqrt(values.reduce((total, value) => total + value * value, 0) / values.length);
  expect(deviation(kaimingUniform(shape, [0, "a"]))).toBeCloseTo(Math.sqrt(2 / (32 * 9)), 3);
  expect(deviation(kaimingNormal(shape, [0, "a"]))).toBeCloseTo(Math.sqrt(2 / (64 * 9)), 3);
  expect(deviation(xavierUniform(shape, [0, "a"]))).toBeCloseTo(Math.sqrt(2 / (96 * 9)), 3);
  expect(kaimingUniform(shape, [0, "a"])).toEqual(kaimingUniform(shape, [0, "a"]));
  expect(kaimingUniform(shape, [0, "a"])).not.toEqual(kaimingUniform(shape, [1, "a"]));
});
