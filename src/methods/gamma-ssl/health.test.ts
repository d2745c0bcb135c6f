import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { constant } from "../../engine/graph/value.js";
import { cast } from "../../engine/ops/elementwise.js";
import { float32, floats, hostTensor } from "../../engine/tensor/hostTensor.js";
import { pixelsOf } from "./health.js";
import { type GammaOptions, paper, small } from "./options.js";

/** Three pixels, two classes: the first scores of all pixels, then the second ones; all divided by their temperature. */
const scores = (...values: readonly number[]) => constant(float32([1, 2, 1, 3], values));
const target = scores(9, 9, 9, 0, 0, 0); // first, first, first
const query = scores(2, 1, 0, 0, 0, 2); // first, first, second
const valid = constant(hostTensor("bool", [1, 1, 3], new Uint8Array([1, 1, 1])));
/** A share at odds of e^x to 1. */
const odds = (x: number): number => 1 / (1 + Math.exp(-x));

async function pixels(options: GammaOptions) {
  const { predicted, confidence, peak, consistent } = pixelsOf(target, query, valid, options);
  const found = await evaluateOnce({ predicted, confidence, peak, consistent: cast(consistent, "uint8") }, {});
  return {
    predicted: [...found.predicted!.data].map(Number),
    consistent: [...found.consistent!.data].map(Number),
    confidence: [...floats(found.confidence, "confidence")],
    peak: [...floats(found.peak, "peak")],
  };
}

const near = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 5));

test.each([
  ["softmax", small, [odds(2), odds(1), odds(2)]],
  ["cosine", paper, [2, 1, 2].map((sharp) => sharp * paper.temperature)],
] as const)(
  "by prototypes, score %s: as sure as the nearest one is, consistent where it agrees with the target (G-1)",
  async (_, options, wanted) => {
    const { predicted, confidence, peak, consistent } = await pixels(options);
    expect([predicted, consistent]).toEqual([
      [0, 0, 1],
      [1, 1, 0],
    ]);
    expect(confidence).toEqual(near(wanted));
    expect(peak).toEqual(near([odds(2), odds(1), odds(2)]));
  },
);

test("by the head: its probability at temperature 1, though L_c has its scores divided by τ", async () => {
  const symmetric = { ...paper, branches: { target: "head", query: "head" } } as const;
  const { predicted, confidence, peak } = await pixels(symmetric);
  expect(predicted).toEqual([0, 0, 1]);
  expect(confidence).toEqual(near([2, 1, 2].map((sharp) => odds(sharp * paper.headTemperature))));
  expect(peak).toEqual(near([odds(2), odds(1), odds(2)]));
});
