import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { input } from "../../engine/graph/value.js";
import { float32, floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { inferencePass, PassRecorder } from "../layers/pass.js";
import { Scope } from "../layers/scope.js";
import { startOf } from "../optim/trainStep.js";
import { Projection } from "./projection.js";

const F = 6;
const x = input("x", { dtype: "float32", shape: [2, F, 3, 2] });

function built(hiddenLayers?: 1 | 2) {
  const scope = new Scope();
  const projection = new Projection(scope.child("projection"), { features: F, ...(hiddenLayers && { hiddenLayers }) });
  const weights: Tensors = Object.fromEntries(scope.params.map((param) => [param.path, startOf(param)(0)]));
  return { scope, projection, weights };
}

test("one hidden layer unless told otherwise, numbered as PyTorch numbers a Sequential", () => {
  const names = (hiddenLayers?: 1 | 2) =>
    built(hiddenLayers)
      .scope.params.filter((p) => p.trained)
      .map((p) => p.path);
  expect(names()).toEqual([
    "projection.0.weight",
    "projection.1.weight",
    "projection.1.bias",
    "projection.3.weight",
    "projection.3.bias",
  ]);
  expect(names(2).filter((name) => name.endsWith(".weight"))).toEqual(
    [0, 1, 3, 4, 6].map((i) => `projection.${i}.weight`),
  );
});

test.each([1, 2] as const)(
  "with %i hidden layers every pixel gets a vector of length 1, from itself alone",
  async (hiddenLayers) => {
    const { projection, weights: silent } = built(hiddenLayers);
    // All channels may be cut off by ReLU; the bias keeps the vector from being zero then.
    const weights = {
      ...silent,
      [`projection.${3 * hiddenLayers}.bias`]: float32([F], [0.1, -0.2, 0.3, 0.4, -0.5, 0.6]),
    };
    const draw = random("features");
    const features = Float32Array.from({ length: 2 * F * 6 }, draw.normal);
    const z = projection.forward(x, inferencePass);
    const run = async (values: Float32Array) =>
      floats((await evaluateOnce({ z }, { ...weights, x: float32(x.shape, values) })).z, "z");
    const found = await run(features);
    const pixel = (values: Float32Array, n: number, p: number) =>
      Array.from({ length: F }, (_, c) => values[(n * F + c) * 6 + p]!);
    for (const n of [0, 1]) for (let p = 0; p < 6; p++) expect(Math.hypot(...pixel(found, n, p))).toBeCloseTo(1, 5);
    // Another value at pixel 3 of the first image moves that pixel and no other.
    const moved = await run(features.with(3, features[3]! + 1));
    const apart = [...found].flatMap((value, i) =>
      Math.abs(value - moved[i]!) > 1e-6 ? [`${Math.floor(i / (6 * F))}/${i % 6}`] : [],
    );
    expect(new Set(apart)).toEqual(new Set(["0/3"]));
  },
);

test("a vector of zeros stays zero, without NaN", async () => {
  const { projection, weights } = built();
  const z = projection.forward(x, inferencePass);
  const silent = { ...weights, "projection.3.weight": float32([F, F, 1, 1], new Float32Array(F * F)) };
  const found = floats(
    (await evaluateOnce({ z }, { ...silent, x: float32(x.shape, new Float32Array(2 * F * 6)) })).z,
    "z",
  );
  expect([...found].every((value) => value === 0)).toBe(true);
});

test("while learning its batch norm follows the pixels", () => {
  const { projection } = built();
  const recorder = new PassRecorder();
  projection.forward(x, recorder.pass());
  expect([...recorder.updates.keys()].map((param) => param.path)).toEqual([
    "projection.1.running_mean",
    "projection.1.running_var",
  ]);
});
