import { expect, test } from "vitest";
import { nodesOf } from "../graph/graph.js";
import { input } from "../graph/value.js";
import { add, exp, mul, scale } from "../ops/elementwise.js";
import { sum } from "../ops/reduce.js";
import { float32 } from "../tensor/hostTensor.js";
import { bindInputs } from "./bindInputs.js";
import { compile } from "./compile.js";
import { nodeRuntime } from "./node.js";

const runtime = nodeRuntime();
const x = input("x", { dtype: "float32", shape: [2] });
const w = input("w", { dtype: "float32", shape: [2] });

test("what follows from the bound inputs alone is computed once, the rest is left to do", async () => {
  const squared = mul(w, w);
  const graph = { outputs: { y: add(scale(x, 3), exp(sum(squared))), squared, w } };
  const bound = await bindInputs(runtime, graph, { w: float32([2], [1, 2]) });
  expect(nodesOf(bound).map(({ opType }) => opType)).toEqual(["Mul", "Add"]);
  const program = await compile(runtime, bound);
  const results = await program.run({ x: float32([2], [10, 20]) });
  await program.close();
  expect([...results.y!.data].map((value) => Math.round(Number(value) * 10) / 10)).toEqual([178.4, 208.4]);
  expect([[...results.squared!.data], [...results.w!.data]]).toEqual([
    [1, 4],
    [1, 2],
  ]);
});

test("a graph that needs none of them stays as it is", async () => {
  const y = exp(x);
  expect((await bindInputs(runtime, { outputs: { y } }, { w: float32([2], [1, 2]) })).outputs.y).toBe(y);
});
