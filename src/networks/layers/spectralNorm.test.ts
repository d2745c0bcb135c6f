import { describe, expect, test } from "vitest";
import { evaluateOnce, expectGradient, relativeDistance } from "../../../test/expectGradient.js";
import { gradients } from "../../engine/autodiff/gradients.js";
import { constant, input, type Value } from "../../engine/graph/value.js";
import { type ConvOptions, conv2d } from "../../engine/ops/conv.js";
import { square } from "../../engine/ops/elementwise.js";
import { sum } from "../../engine/ops/reduce.js";
import { compile } from "../../engine/runtime/compile.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { float32, floats, type HostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { type Shape, size } from "../../engine/tensor/shape.js";
import { startOf } from "../optim/trainStep.js";
import { Conv2d } from "./layers.js";
import { inferencePass, PassRecorder } from "./pass.js";
import { Scope } from "./scope.js";
import { SpectralNorm } from "./spectralNorm.js";

const drawn = (shape: Shape, key: string): HostTensor => {
  const draw = random(key);
  return float32(shape, Float32Array.from({ length: size(shape) }, draw.normal));
};

/** A filter, held at a bound, and what it becomes after so many steps. */
async function held(
  weight: HostTensor,
  options: { readonly geometry?: ConvOptions; readonly extent: readonly [number, number]; readonly bound: number },
  steps: number,
): Promise<{ filter: Float32Array; state: Tensors; scope: Scope }> {
  const scope = new Scope();
  const param = scope.param("weight", weight.shape, () => new Float32Array());
  const norm = new SpectralNorm(scope, param, options.geometry ?? {}, options);
  const recorder = new PassRecorder();
  const filter = norm.filter(recorder.pass());
  const next = Object.fromEntries([...recorder.updates].map(([{ path }, value]) => [path, value]));
  const program = await compile(nodeRuntime(), { outputs: { filter, ...prefixed(next) } });
  let state: Tensors = Object.fromEntries(scope.params.filter((p) => !p.trained).map((p) => [p.path, startOf(p)(0)]));
  let result: Tensors = {};
  for (let i = 0; i < steps; i++) {
    result = await program.run({ weight, ...state });
    state = Object.fromEntries(Object.keys(state).map((path) => [path, result[`next.${path}`]!]));
  }
  await program.close();
  return { filter: floats(result.filter, "filter"), state, scope };
}
const prefixed = (values: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).map(([path, value]) => [`next.${path}`, value]));

/** The norm that holding at a tiny bound reveals: W / (σ / c). */
const revealed = (weight: HostTensor, filter: Float32Array, bound: number): number => {
  const length = (values: ArrayLike<number>): number => Math.hypot(...Array.from(values));
  return (bound * length(floats(weight, "weight"))) / length(filter);
};

test("the norm of a 1x1 filter is that of its matrix, whatever the image", async () => {
  const weight = float32([2, 2, 1, 1], [3, 0, 4, 5]);
  const { filter, state } = await held(weight, { geometry: { stride: 2 }, extent: [7, 9], bound: 0.1 }, 30);
  expect(revealed(weight, filter, 0.1)).toBeCloseTo(Math.sqrt(45), 4);
  expect(state.weight_u!.shape).toEqual([1, 2, 1, 1]);
});

test("the norm of a 3x3 filter is that of the convolution on images of its size", async () => {
  // All ones, with zeros around the image: a product of two tridiagonal matrices, whose eigenvalues are known.
  const [h, w] = [5, 8] as const;
  const weight = float32([1, 1, 3, 3], new Float32Array(9).fill(1));
  const { filter } = await held(weight, { geometry: { padding: 1 }, extent: [h, w], bound: 0.1 }, 200);
  const largest = (n: number): number => 1 + 2 * Math.cos(Math.PI / (n + 1));
  expect(revealed(weight, filter, 0.1)).toBeCloseTo(largest(h) * largest(w), 3);
});

describe.each<[string, ConvOptions, Shape]>([
  ["a strided one", { stride: 2, padding: 1 }, [4, 3, 3, 3]],
  ["a dilated one", { dilation: 2, padding: 2 }, [3, 3, 3, 3]],
  ["the stem's", { stride: 2, padding: 3 }, [4, 3, 7, 7]],
])("of any convolution, e.g. %s:", (_, geometry, shape) => {
  test("one iteration a step comes to the norm of the matrix that it is", async () => {
    const weight = drawn(shape, "filter");
    const extent = [6, 5] as const;
    const { filter } = await held(weight, { geometry, extent, bound: 0.1 }, 300);
    expect(revealed(weight, filter, 0.1) / (await denseNorm(weight, geometry, [3, ...extent]))).toBeCloseTo(1, 3);
  });
});

/** The norm of a convolution as a matrix: one column for each pixel of the image, then double-precision power iterations. */
async function denseNorm(
  weight: HostTensor,
  geometry: ConvOptions,
  [c, h, w]: readonly [number, number, number],
): Promise<number> {
  const count = c * h * w;
  const identity = new Float32Array(count * count);
  for (let i = 0; i < count; i++) identity[i * (count + 1)] = 1;
  const y = conv2d(constant(float32([count, c, h, w], identity)), constant(weight), geometry);
  const columns = floats((await evaluateOnce({ y }, {})).y, "columns"); // row i is what pixel i becomes
  const out = columns.length / count;
  let x = Array.from({ length: count }, (_, i) => 1 + (i % 7));
  let norm = 0;
  for (let k = 0; k < 500; k++) {
    const image = Array.from({ length: out }, (_, j) =>
      x.reduce((total, value, i) => total + value * columns[i * out + j]!, 0),
    );
    const back = x.map((_, i) => image.reduce((total, value, j) => total + value * columns[i * out + j]!, 0));
    norm = Math.sqrt(Math.hypot(...back) / Math.hypot(...x));
    x = back.map((value) => value / Math.hypot(...back));
  }
  return norm;
}

test("a filter of a norm below the bound is untouched, one above is scaled to it", async () => {
  const weight = float32([2, 2, 1, 1], [3, 0, 4, 5]); // norm 6.7
  expect([...(await held(weight, { extent: [1, 1], bound: 7 }, 30)).filter]).toEqual([3, 0, 4, 5]);
  const { filter } = await held(weight, { extent: [1, 1], bound: 3 }, 30);
  expect([...filter].map((value) => value / (3 / Math.sqrt(45)))).toEqual(
    [3, 0, 4, 5].map((x) => expect.closeTo(x, 4)),
  );
});

test("the filter's gradient takes the norm into account", async () => {
  const shape = [3, 2, 3, 3];
  const build = (weight: Value | undefined): Value => {
    const scope = new Scope();
    const param = { ...scope.param("weight", shape, () => new Float32Array()), value: weight! };
    const norm = new SpectralNorm(scope, param, { padding: 1 }, { bound: 0.5, extent: [4, 4] });
    const kept = scope.params.filter((one) => !one.trained);
    return norm.filter({ ...inferencePass, advance: () => kept.map((one) => constant(startOf(one)(0))) });
  };
  await expectGradient(build, [shape]);
  await expectGradient((weight) => square(build(weight)), [shape], { low: 0.1, high: 2 });
});

test("at the norm itself the gradient is right although nothing flows through the two vectors", async () => {
  const weight = drawn([3, 2, 1, 1], "filter");
  const { state } = await held(weight, { extent: [1, 1], bound: 0.5 }, 300);
  const scope = new Scope();
  const param = scope.param("weight", weight.shape, () => new Float32Array());
  const recorder = new PassRecorder();
  const filter = new SpectralNorm(scope, param, {}, { bound: 0.5, extent: [1, 1] }).filter(recorder.pass());
  const probe = constant(drawn(weight.shape, "probe"));
  const loss = sum(conv2d(probe, filter));
  const [slope] = gradients(loss, [param.value]);
  const program = await compile(nodeRuntime(), { outputs: { loss, slope: slope! } });
  const at = async (moved: HostTensor): Promise<number> =>
    floats((await program.run({ weight: moved, ...state })).loss, "loss")[0]!;
  const found = floats((await program.run({ weight, ...state })).slope, "slope");
  const measured = await Promise.all(
    [...found].map(async (_, i) => {
      const move = (by: number): HostTensor =>
        float32(weight.shape, floats(weight, "w").with(i, floats(weight, "w")[i]! + by));
      return ((await at(move(1e-2))) - (await at(move(-1e-2)))) / 2e-2;
    }),
  );
  await program.close();
  expect(relativeDistance(found, measured)).toBeLessThan(5e-3);
});

test("passes of one step share one iteration, and passes at rest make none", () => {
  const scope = new Scope();
  const conv = new Conv2d(scope.child("conv"), {
    in: 2,
    out: 2,
    kernel: 3,
    padding: 1,
    spectralNorm: { bound: 3, extent: [4, 4] },
  });
  expect(scope.params.map(({ path, shape, trained }) => [path, shape, trained])).toEqual([
    ["conv.weight", [2, 2, 3, 3], true],
    ["conv.weight_u", [1, 2, 4, 4], false],
    ["conv.weight_v", [1, 2, 4, 4], false],
  ]);
  const x = input("x", { dtype: "float32", shape: [1, 2, 8, 8] });
  const recorder = new PassRecorder();
  conv.forward(x, recorder.pass());
  const after = [...recorder.updates.values()];
  conv.forward(x, recorder.pass({ keepStatistics: true }));
  conv.forward(x, inferencePass);
  expect([...recorder.updates.values()]).toEqual(after);
  expect(after).toHaveLength(2);
});

test("a bound that is not above zero is refused", () => {
  const build = () => new Conv2d(new Scope(), { in: 1, out: 1, kernel: 1, spectralNorm: { bound: 0, extent: [1, 1] } });
  expect(build).toThrow("the bound is 0, wanted a number above 0");
});
