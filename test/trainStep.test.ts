import { createHash } from "node:crypto";
import * as ort from "onnxruntime-web";
import { expect, test } from "vitest";
import { printGraph } from "../src/engine/graph/print.js";
import { nodeRuntime } from "../src/engine/runtime/node.js";
import type { Runtime } from "../src/engine/runtime/runtime.js";
import { webRuntime } from "../src/engine/runtime/web.js";
import { floats, type Tensors } from "../src/engine/tensor/hostTensor.js";
import { Stepper } from "../src/networks/optim/stepper.js";
import type { TrainStep } from "../src/networks/optim/trainStep.js";
import { batchFor, narrowDeepLabStep, tinyStep } from "./smallStep.js";

ort.env.wasm.numThreads = 1;

async function trained(
  runtime: Runtime,
  step: TrainStep,
  steps: number,
): Promise<{ losses: number[]; state: Tensors }> {
  const stepper = await Stepper.open(runtime, step, { seed: 3 });
  const losses: number[] = [];
  for (let i = 0; i < steps; i++) {
    const { loss } = await stepper.run(batchFor(step, i), 1e-3);
    losses.push(floats(loss, "loss")[0]!);
  }
  await stepper.close();
  return { losses, state: await stepper.state() };
}

function digest(state: Tensors): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(state).sort()) hash.update(name).update(Buffer.from(state[name]!.data.buffer));
  return hash.digest("hex");
}

test("the printed program of a small training step is readable", async () => {
  await expect(printGraph(tinyStep().graph)).toMatchFileSnapshot("fixtures/tinyStep.graph.txt");
});

test("two runs, and runs with 1, 2 and 4 threads, end with the same bits", async () => {
  const step = narrowDeepLabStep();
  const digests: string[] = [];
  for (const threads of [1, 1, 2, 4]) digests.push(digest((await trained(nodeRuntime({ threads }), step, 4)).state));
  expect(new Set(digests).size).toBe(1);
});

test("the same step in WebAssembly gives the same losses", async () => {
  const step = narrowDeepLabStep();
  const native = await trained(nodeRuntime(), step, 5);
  const wasm = await trained(webRuntime(ort), step, 5);
  const apart = wasm.losses.map((loss, i) => Math.abs(loss - native.losses[i]!));
  expect(Math.max(...apart)).toBeLessThan(1e-4);
});

test("a small network learns a fixed batch", async () => {
  const step = tinyStep();
  const stepper = await Stepper.open(nodeRuntime(), step, { seed: 1 });
  const losses: number[] = [];
  for (let i = 0; i < 60; i++) losses.push(floats((await stepper.run(batchFor(step, 0), 0.05)).loss, "loss")[0]!);
  await stepper.close();
  expect(losses.at(-1)!).toBeLessThan(0.75 * losses[0]!);
});
