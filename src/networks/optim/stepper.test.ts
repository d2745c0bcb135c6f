import { expect, test } from "vitest";
import { batchFor, tinyStep } from "../../../test/smallStep.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { float32, floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { adamW } from "./optimiser.js";
import { NonFiniteStep, Stepper } from "./stepper.js";

const step = tinyStep(adamW());
const bytes = (state: Tensors): string =>
  Object.entries(state)
    .map(([name, { data }]) => `${name} ${Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex")}`)
    .join("\n");

test("a stepper opened with the state of another goes on as the other would have", async () => {
  const whole = await Stepper.open(nodeRuntime(), step, { seed: 1 });
  for (let at = 0; at < 6; at++) await whole.run(batchFor(step, at), 0.01);
  const first = await Stepper.open(nodeRuntime(), step, { seed: 1 });
  for (let at = 0; at < 3; at++) await first.run(batchFor(step, at), 0.01);
  const second = await Stepper.open(nodeRuntime(), step, { seed: 99, state: await first.state(), done: first.done });
  for (let at = 3; at < 6; at++) await second.run(batchFor(step, at), 0.01);
  expect(second.done).toBe(6);
  expect(bytes(await second.state())).toBe(bytes(await whole.state()));
});

test("a step that is not finite is refused with what it was given, and changes nothing", async () => {
  const stepper = await Stepper.open(nodeRuntime(), step, { seed: 1 });
  await stepper.run(batchFor(step, 0), 0.01);
  const before = bytes(await stepper.state());
  const poisoned = batchFor(step, 1);
  floats(poisoned.images, "images")[5] = Number.NaN;
  const refused = await stepper.run(poisoned, 0.01).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(NonFiniteStep);
  expect((refused as NonFiniteStep).message).toBe("step 2: loss is NaN");
  expect((refused as NonFiniteStep).feeds.images).toBe(poisoned.images);
  expect(bytes(await stepper.state())).toBe(before);
  expect(stepper.done).toBe(1);
});

test("state that nothing in the step is computed from is carried along unchanged", async () => {
  const apart = new Map([...step.state, ["apart", { output: null, start: () => float32([2], [3, 4]), memory: false }]]);
  const stepper = await Stepper.open(nodeRuntime(), { ...step, state: apart }, { seed: 1 });
  await stepper.run(batchFor(step, 0), 0.01);
  await stepper.run(batchFor(step, 1), 0.01);
  await stepper.close();
  expect((await stepper.state()).apart).toEqual(float32([2], [3, 4]));
});
