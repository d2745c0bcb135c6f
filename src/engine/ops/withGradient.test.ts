import { expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { gradients } from "../autodiff/gradients.js";
import { printGraph } from "../graph/print.js";
import { input } from "../graph/value.js";
import { float32, floats } from "../tensor/hostTensor.js";
import { exp, log, scale, square } from "./elementwise.js";
import { sum } from "./reduce.js";
import { withGradient } from "./withGradient.js";

const x = input("x", { dtype: "float32", shape: [2, 3] });

test("a slope that is known agrees with finite differences, through whatever follows", () =>
  expectGradient((at) => log(withGradient(sum(square(at!)), at!, scale(at!, 2))), [[2, 3]]));

test("nothing flows back through how the number was computed", async () => {
  const [dx] = gradients(withGradient(sum(exp(x)), x, scale(x, 5)), [x]);
  const feeds = { x: float32([2, 3], [1, 2, 3, 4, 5, 6]) };
  expect([...floats((await evaluateOnce({ dx: dx! }, feeds)).dx, "dx")]).toEqual([5, 10, 15, 20, 25, 30]);
});

test("a slope nobody asks for is not computed", () => {
  expect(printGraph({ outputs: { y: withGradient(sum(exp(x)), x, scale(x, 5)) } })).not.toContain("Mul");
});
