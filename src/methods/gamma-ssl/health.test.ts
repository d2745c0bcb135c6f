import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { constant, type Value } from "../../engine/graph/value.js";
import { cast } from "../../engine/ops/elementwise.js";
import { float32, floats, hostTensor } from "../../engine/tensor/hostTensor.js";
import { sized } from "./answer.js";
import { pixelsOf } from "./health.js";
import { type GammaOptions, small } from "./options.js";

/** Three pixels, two classes: the first scores of all pixels, then the second ones. */
const scores = (...values: readonly number[]) => constant(float32([1, 2, 1, 3], values));
const target = scores(9, 9, 9, 0, 0, 0); // first, first, first
const query = scores(2, 2, 0, 0, 0, 2); // first, first, second
const byHead = scores(1, 0, 1, 0, 1, 0); // first, second, first
const valid = constant(hostTensor("bool", [1, 1, 3], new Uint8Array([1, 1, 1])));

async function pixels(classFrom: GammaOptions["classFrom"], score: GammaOptions["score"] = "softmax") {
  const align = (maps: Value): Value => maps;
  const seen = { scores: sized(query, align), byHead: sized(byHead, align), align };
  const { predicted, confidence, consistent } = pixelsOf(target, seen, valid, { ...small, classFrom, score });
  const found = await evaluateOnce({ predicted, confidence, consistent: cast(consistent, "uint8") }, {});
  return {
    predicted: [...found.predicted!.data].map(Number),
    confidence: [...floats(found.confidence, "confidence")],
    consistent: [...found.consistent!.data].map(Number),
  };
}

const [sure, fair] = [1 / (1 + Math.exp(-2)), 1 / (1 + Math.exp(-1))];

test("named by prototypes: as sure as the nearest one is, consistent where it agrees with the target", async () => {
  const { predicted, confidence, consistent } = await pixels("prototypes");
  expect([predicted, consistent]).toEqual([
    [0, 0, 1],
    [1, 1, 0],
  ]);
  expect(confidence).toEqual([sure, sure, sure].map((value) => expect.closeTo(value, 5)));
});

test("named by the head: as sure as prototypes are of its class, consistent where they agree with the target (G-1)", async () => {
  const { predicted, confidence, consistent } = await pixels("head");
  expect([predicted, consistent]).toEqual([
    [0, 0, 1],
    [1, 1, 0],
  ]);
  expect(confidence).toEqual([sure, 1 - sure, 1 - sure].map((value) => expect.closeTo(value, 5)));
});

test.each([
  ["prototypes", [fair, 1 - fair, 1 - fair]],
  ["head", [fair, 1 - sure, 1 - sure]],
] as const)(
  "named by the %s, the lesser score: as sure as the less sure branch is of that class",
  async (classFrom, wanted) => {
    const { confidence } = await pixels(classFrom, "lesser");
    expect(confidence).toEqual(wanted.map((value) => expect.closeTo(value, 5)));
  },
);
