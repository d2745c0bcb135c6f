import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { gradients } from "../../engine/autodiff/gradients.js";
import { constant, input, type Value } from "../../engine/graph/value.js";
import { l2Normalise } from "../../engine/ops/reduce.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { uniformityLoss } from "./uniformityLoss.js";

const value = async (y: Value): Promise<number> => floats((await evaluateOnce({ y }, {})).y, "y")[0]!;
/** Points of the plane, one a pixel. */
const plane = (...points: readonly (readonly [number, number])[]): Value =>
  constant(float32([1, 2, 1, points.length], [...points.map(([x]) => x), ...points.map(([, y]) => y)]));

test("L-6: two opposite points: mean exp(-8), hence -8; as printed, twice exp(-8) over two points", async () => {
  const opposite = plane([1, 0], [-1, 0]);
  expect(await value(uniformityLoss(opposite, { form: "log-mean" }))).toBeCloseTo(-8, 4);
  expect(await value(uniformityLoss(opposite, { form: "paper-sum" }))).toBeCloseTo(Math.exp(-8), 8);
});

test("L-5: three points, by hand", async () => {
  // East, north and west: two pairs at squared distance 2, one at 4.
  const points = plane([1, 0], [0, 1], [-1, 0]);
  const sum = 2 * Math.exp(-4) + Math.exp(-8);
  expect(await value(uniformityLoss(points, { form: "log-mean" }))).toBeCloseTo(Math.log(sum / 3), 4);
  expect(await value(uniformityLoss(points, { form: "paper-sum" }))).toBeCloseTo((2 * sum) / 3, 6);
  const slower = 2 * Math.exp(-2) + Math.exp(-4);
  expect(await value(uniformityLoss(points, { form: "log-mean", sharpness: 1 }))).toBeCloseTo(Math.log(slower / 3), 4);
});

test("L-13: points that all coincide have loss 0 and a finite slope; a single point has loss 0", async () => {
  const x = input("x", { dtype: "float32", shape: [1, 2, 2, 2] });
  const loss = uniformityLoss(l2Normalise(x, 1), { form: "log-mean" });
  const [dx] = gradients(loss, [x]);
  const found = await evaluateOnce({ loss, dx: dx! }, { x: float32(x.shape, [3, 3, 3, 3, 4, 4, 4, 4]) });
  expect(floats(found.loss, "loss")[0]).toBeCloseTo(0, 4);
  expect(floats(found.dx, "dx").every(Number.isFinite)).toBe(true);
  expect(await value(uniformityLoss(plane([1, 0]), { form: "log-mean" }))).toBe(0);
});

test("L-7: blocks of any size give the loss and the gradient of one product over all pairs", async () => {
  const shape = [2, 6, 3, 5];
  const draw = random("uniformity");
  const x = input("x", { dtype: "float32", shape });
  const feeds = { x: float32(shape, Float32Array.from({ length: 180 }, draw.normal)) };
  const run = async (block: number) => {
    const loss = uniformityLoss(l2Normalise(x, 1), { form: "log-mean", block });
    const [dx] = gradients(loss, [x]);
    const found = await evaluateOnce({ loss, dx: dx! }, feeds);
    return [...floats(found.loss, "loss"), ...floats(found.dx, "dx")];
  };
  const whole = await run(100);
  for (const block of [30, 16, 7, 1]) {
    (await run(block)).forEach((found, i) => {
      expect(found).toBeCloseTo(whole[i]!, 5);
    });
  }
});

test("L-7: its gradient, through the normalisation, agrees with finite differences", async () => {
  for (const form of ["log-mean", "paper-sum"] as const) {
    await expectGradient((x) => uniformityLoss(l2Normalise(x!, 1), { form, block: 3 }), [[2, 3, 2, 2]], {
      low: 0.3,
      high: 1.5,
    });
  }
});
