import { afterAll } from "vitest";
import { nodeRuntime } from "../src/engine/runtime/node.js";
import { floats, type HostTensor, type Tensors } from "../src/engine/tensor/hostTensor.js";
import type { GammaStep } from "../src/methods/gamma-ssl/step.js";
import { Stepper } from "../src/networks/optim/stepper.js";
import { gammaBatch } from "./gammaBatch.js";
import { loadsOnce } from "./loadsOnce.js";

/** Dozens of graphs, a step or two of each on tiny images: sessions take longest to make, so equal ones are made once in a file. */
export const runtime = loadsOnce(nodeRuntime({ threads: 1, optimise: false }));
afterAll(() => runtime.closeAll());

export type Measures = Record<string, HostTensor>;

export const one = (measures: Measures, name: string): number => floats(measures[name], name)[0]!;

/** Some steps on keyed batches; measures of each, and the last state. */
export async function steps(
  step: GammaStep,
  count: number,
  { state = {}, rate = 1e-3 }: { state?: Tensors; rate?: number } = {},
): Promise<{ measures: Measures[]; state: Tensors }> {
  const stepper = await Stepper.open(runtime, step, { seed: 1, state });
  const measures: Measures[] = [];
  for (let i = 0; i < count; i++) measures.push(await stepper.run(gammaBatch(step, i), rate));
  await stepper.close();
  return { measures, state: await stepper.state() };
}

export const allFinite = (measures: Measures): boolean =>
  Object.values(measures).every((tensor) => floats(tensor, "measure").every(Number.isFinite));

export const float32Of = (values: number[]): HostTensor => ({
  dtype: "float32",
  shape: [values.length],
  data: Float32Array.from(values),
});
