import { expect, test } from "vitest";
import { input } from "../graph/value.js";
import { add, mul } from "../ops/elementwise.js";
import { float32 } from "../tensor/hostTensor.js";
import { compile } from "./compile.js";
import { nodeRuntime } from "./node.js";
import { placed } from "./placement.js";

test("counts each node of a program once, by op, and gives back what was computed", async () => {
  const x = input("x", { dtype: "float32", shape: [2, 2] });
  const y = add(mul(x, x), mul(x, mul(x, x)));
  const { result, placement } = await placed(async (profile) => {
    const program = await compile(nodeRuntime({ profile, optimise: false }), { outputs: { y } });
    await program.run({ x: float32([2, 2], [1, 1, 1, 1]) });
    const again = await program.run({ x: float32([2, 2], [1, 2, 0, -1]) });
    await program.close();
    return again.y!;
  });
  expect(result).toEqual(float32([2, 2], [2, 12, 0, 0]));
  expect(placement).toEqual({ device: 0, cpu: { Mul: 3, Add: 1 }, copies: 0, copiedBytes: 0 });
});
