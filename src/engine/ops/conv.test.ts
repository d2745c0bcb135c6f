import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateOnce, expectGradient, relativeDistance, separated } from "../../../test/expectGradient.js";
import { gradients } from "../autodiff/gradients.js";
import { nodesOf } from "../graph/graph.js";
import { within } from "../graph/path.js";
import { input, type Value } from "../graph/value.js";
import { floats } from "../tensor/hostTensor.js";
import { conv2d } from "./conv.js";
import { mul, square } from "./elementwise.js";
import { sum } from "./reduce.js";

const image = (...shape: number[]): Value => input("x", { dtype: "float32", shape });

/** Any convolution that fits its image. */
const convolutions = fc
  .record({
    n: fc.integer({ min: 1, max: 3 }),
    groups: fc.integer({ min: 1, max: 3 }),
    inPerGroup: fc.integer({ min: 1, max: 3 }),
    outPerGroup: fc.integer({ min: 1, max: 3 }),
    kernel: fc.constantFrom(1, 2, 3, 5),
    stride: fc.integer({ min: 1, max: 3 }),
    dilation: fc.integer({ min: 1, max: 3 }),
    padding: fc.integer({ min: 0, max: 4 }),
    extra: fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })),
    bias: fc.boolean(),
  })
  .map(({ n, groups, inPerGroup, outPerGroup, kernel, stride, dilation, padding, extra, bias }) => {
    const least = Math.max(1, (kernel - 1) * dilation + 1 - 2 * padding);
    return {
      options: { stride, dilation, padding, groups },
      x: [n, groups * inPerGroup, least + extra[0], least + extra[1]],
      w: [groups * outPerGroup, inPerGroup, kernel, kernel],
      bias: bias ? [[groups * outPerGroup]] : [],
    };
  });

test("convolution of any stride, dilation, padding and grouping has the right gradient", () =>
  fc.assert(
    fc.asyncProperty(convolutions, ({ x, w, bias, options }) =>
      expectGradient((image, filter, offset) => conv2d(image!, filter!, options, offset), [x, w, ...bias]),
    ),
    { numRuns: 60, seed: 1 },
  ));

test("a wide 3x3 convolution, computed in tiles, is the same convolution with the same gradients", () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 11 }),
      fc.integer({ min: 1, max: 11 }),
      fc.constantFrom(1, 2, 4),
      async (n, h, w, dilation) => {
        const [x, filter] = [
          input("x", { dtype: "float32", shape: [n, 128, h, w] }),
          input("w", { dtype: "float32", shape: [136, 128, 3, 3] }),
        ];
        const both = [true, false].map((learned) => {
          const y = conv2d(x, filter, { padding: dilation, dilation, learned });
          return [y, ...gradients(sum(square(y)), [x, filter])];
        });
        const { tensors } = separated([x.shape, filter.shape]);
        const outputs = Object.fromEntries(both.flatMap((values, k) => values.map((value, i) => [`${k}.${i}`, value])));
        const results = await evaluateOnce(outputs, { x: tensors[0]!, w: tensors[1]! });
        for (const i of [0, 1, 2]) {
          const [tiled, plain] = [floats(results[`0.${i}`], "tiled"), floats(results[`1.${i}`], "plain")];
          expect(relativeDistance(tiled, plain)).toBeLessThan(1e-5);
        }
      },
    ),
    { numRuns: 15, seed: 1 },
  ));

test("a narrow or strided convolution is not computed in tiles", () => {
  const nodes = (channels: number, stride: number) => {
    const w = input("w", { dtype: "float32", shape: [channels, channels, 3, 3] });
    return nodesOf({ outputs: { y: conv2d(image(1, channels, 8, 8), w, { padding: 1, stride, learned: true }) } }).map(
      (node) => node.opType,
    );
  };
  expect(nodes(64, 1)).toEqual(["Conv"]);
  expect(nodes(128, 2)).toEqual(["Conv"]);
  expect(nodes(128, 1)).not.toContain("Conv");
});

test("a dilation that reaches beyond the image leaves most taps without gradient", () =>
  expectGradient(
    (x, w) => conv2d(x!, w!, { padding: 12, dilation: 12 }),
    [
      [2, 3, 4, 8],
      [2, 3, 3, 3],
    ],
  ));

test("depthwise convolution with more filters than channels has the right gradient", () =>
  expectGradient(
    (x, w) => conv2d(x!, w!, { padding: 1, groups: 3 }),
    [
      [2, 3, 5, 4],
      [6, 1, 3, 3],
    ],
  ));

test("the gradient of a convolution has a gradient", () =>
  expectGradient(
    (x, w) => {
      const loss = sum(square(conv2d(x!, w!, { padding: 1, stride: 2 })));
      const [dx, dw] = gradients(loss, [x!, w!]);
      return mul(sum(square(dx!)), sum(square(dw!)));
    },
    [
      [1, 2, 5, 4],
      [2, 2, 3, 3],
    ],
    { low: -0.5, high: 0.5, tolerance: 5e-3 },
  ));

test("a filter that takes other channels than the image has is refused by name", () => {
  const build = () =>
    within("encoder/conv1", () => conv2d(image(1, 3, 8, 8), input("w", { dtype: "float32", shape: [4, 2, 3, 3] })));
  expect(build).toThrow(
    "encoder/conv1: Conv: image float32[1, 3, 8, 8] has 3 channels, filter float32[4, 2, 3, 3] in 1 groups takes 2",
  );
});

test("a window larger than its image is refused with both sizes", () => {
  const w = input("w", { dtype: "float32", shape: [4, 3, 3, 3] });
  expect(() => conv2d(image(1, 3, 8, 8), w, { dilation: 12 })).toThrow(
    "the window covers 25 pixels but the padded input has 8",
  );
});
