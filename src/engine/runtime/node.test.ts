import { expect, test } from "vitest";
import { runtimeContract } from "../../../test/runtimeContract.js";
import { input } from "../graph/value.js";
import { writeModel } from "../onnx/writeModel.js";
import { exp } from "../ops/elementwise.js";
import { float32 } from "../tensor/hostTensor.js";
import type { DType } from "../tensor/shape.js";
import { nodeRuntime } from "./node.js";

runtimeContract("Node", async () => nodeRuntime({ threads: 2 }));

test("F9: a model without the outputs it should have is refused on load, one with outputs of another kind when it is run", async () => {
  const x = input("x", { dtype: "float32", shape: [2] });
  const { bytes } = writeModel({ outputs: { y: exp(x) } });
  const inputs = new Map([["x", x.type]]);
  const load = (name: string, dtype: DType, shape: readonly number[]) =>
    nodeRuntime().load(bytes, { inputs, outputs: new Map([[name, { dtype, shape }]]) });
  await expect(load("class", "float32", [2])).rejects.toThrow('the model has no outputs "class"');
  for (const [dtype, shape] of [
    ["uint8", [2]],
    ["float32", [3]],
  ] as const) {
    const program = await load("y", dtype, shape);
    const feeds = { x: float32([2], Float32Array.of(0, 1)) };
    await expect(program.run(feeds)).rejects.toThrow('the model gives "y" as float32[2], wanted');
    await program.close();
  }
});
