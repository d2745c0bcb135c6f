import { expect, test } from "vitest";
import { shareOfRate } from "./optimiser.js";

test("the rate falls from all of it to almost nothing", () => {
  const share = (step: number) => shareOfRate(step, 10, { warmUp: 0, power: 1 });
  expect([1, 6, 10].map(share).map((x) => x.toFixed(6))).toEqual(["1.000000", "0.500000", "0.100000"]);
});

test("a warm-up rises in equal steps; power 0 then keeps the rate", () => {
  const share = (step: number) => shareOfRate(step, 10, { warmUp: 4, power: 0 });
  expect([1, 2, 4, 10].map(share)).toEqual([0.25, 0.5, 1, 1]);
});
