import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { printGraph } from "../graph/print.js";
import { constant, input, type Value } from "../graph/value.js";
import { add, cast, exp, mul, relu, scale, square } from "../ops/elementwise.js";
import { gather, gatherElements } from "../ops/gather.js";
import { maxPool } from "../ops/pool.js";
import { sum } from "../ops/reduce.js";
import { float32, floats, int64 } from "../tensor/hostTensor.js";
import { gradients } from "./gradients.js";

const vector = (name: string, count = 2) => input(name, { dtype: "float32", shape: [count] });

test("a value used many times collects all its gradients", () =>
  expectGradient((x) => mul(add(x!, exp(x!)), add(square(x!), x!)), [[3]]));

test("a value the loss does not depend on gets zeros", async () => {
  const [x, y] = [vector("x"), vector("y")];
  const [, dy] = gradients(sum(square(x)), [x, y]);
  expect([...floats((await evaluateOnce({ dy: dy! }, {})).dy, "dy")]).toEqual([0, 0]);
});

test("gradients can be taken of inputs, of values in between, and of the loss itself", async () => {
  const x = vector("x");
  const middle = scale(x, 3);
  const loss = sum(square(middle));
  const [dx, dMiddle, dLoss] = gradients(loss, [x, middle, loss]);
  const result = await evaluateOnce({ dx: dx!, dMiddle: dMiddle!, dLoss: dLoss! }, { x: float32([2], [1, -2]) });
  expect([...floats(result.dx, "dx")]).toEqual([18, -36]);
  expect([...floats(result.dMiddle, "dMiddle")]).toEqual([6, -12]);
  expect([...floats(result.dLoss, "dLoss")]).toEqual([1]);
});

test("nothing is computed for branches that lead to none of the values", () => {
  const [x, y] = [vector("x"), vector("y")];
  const [dx] = gradients(sum(mul(exp(y), x)), [x]);
  expect(printGraph({ outputs: { dx: dx! } })).not.toContain("grad/Exp");
  expect(printGraph({ outputs: { dx: dx! } }).match(/Exp/g)).toHaveLength(3); // made once, named and read
});

test("nothing flows through a comparison or a change to whole numbers", async () => {
  const x = vector("x");
  const [dx] = gradients(sum(cast(cast(x, "int64"), "float32")), [x]);
  expect([...floats((await evaluateOnce({ dx: dx! }, {})).dx, "dx")]).toEqual([0, 0]);
});

test("picked elements are added to the other gradient of the same value, not to a tensor of zeros", async () => {
  const x = input("x", { dtype: "float32", shape: [2, 3] });
  const picks = input("picks", { dtype: "int64", shape: [2, 1] });
  const [dx] = gradients(add(sum(scale(x, 2)), sum(gatherElements(x, picks, 1))), [x]);
  const feeds = { x: float32([2, 3], [1, 2, 3, 4, 5, 6]), picks: int64([2, 1], [2, 0]) };
  expect([...floats((await evaluateOnce({ dx: dx! }, feeds)).dx, "dx")]).toEqual([2, 2, 3, 3, 2, 2]);
  expect(printGraph({ outputs: { dx: dx! } })).not.toContain("Add(");
});

test("gradients that scatter have gradients of their own", async () => {
  const picks = constant(int64([2, 2], [2, 0, 1, 1]));
  const slopeOf = (read: (x: Value) => Value) => (x: Value | undefined) =>
    square(gradients(sum(square(read(x!))), [x!])[0]!);
  await expectGradient(
    slopeOf((x) => gatherElements(x, picks, 1)),
    [[2, 3]],
  );
  await expectGradient(
    slopeOf((x) => gather(x, picks, 1)),
    [[2, 3]],
  );
  await expectGradient(
    slopeOf((x) => maxPool(x, { kernel: 2, stride: 1, padding: 0 })),
    [[1, 2, 3, 3]],
    { kinks: true },
  );
});

test("a loss that is not one number is refused", () => {
  expect(() => gradients(relu(vector("x")), [])).toThrow("gradients: the loss is float32[2], wanted a single number");
});
