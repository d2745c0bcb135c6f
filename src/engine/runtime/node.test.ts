import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runtimeContract } from "../../../test/runtimeContract.js";
import { within } from "../graph/path.js";
import { input } from "../graph/value.js";
import { writeModel } from "../onnx/writeModel.js";
import { exp } from "../ops/elementwise.js";
import { gather } from "../ops/gather.js";
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

test("names of a model's nodes reach the terminal as they are neither from the runtime's log nor from our errors", async () => {
  const name = "\x1b]0;title\x07";
  const x = input("x", { dtype: "float32", shape: [2] });
  const places = input("places", { dtype: "int64", shape: [1] });
  const { bytes } = writeModel({ outputs: { y: within(name, () => gather(x, places, 0)) } });
  const folder = await mkdtemp(join(tmpdir(), "log-"));
  await writeFile(join(folder, "m.onnx"), bytes);
  const run = `
    import { readFileSync } from "node:fs";
    import { nodeRuntime } from "${pathToFileURL("dist/engine/runtime/node.js").href}";
    import { float32, int64 } from "${pathToFileURL("dist/engine/tensor/hostTensor.js").href}";
    const shape = (dtype, shape) => ({ dtype, shape });
    const inputs = new Map([["x", shape("float32", [2])], ["places", shape("int64", [1])]]);
    const signature = { inputs, outputs: new Map([["y", shape("float32", [1])]]) };
    const program = await nodeRuntime().load(readFileSync("${join(folder, "m.onnx")}"), signature);
    const feeds = { x: float32([2], [0, 1]), places: int64([1], [99]) };
    await program.run(feeds).catch(({ message }) => process.stderr.write("told: " + message));`;
  const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", run]);
  await rm(folder, { recursive: true });
  expect(stderr).toMatch(/^told: the runtime failed: /);
  expect(stderr).toContain("\\x1b]0;title");
  expect(stderr).not.toContain("\x1b");
});
