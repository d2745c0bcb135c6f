import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeRuntime } from "../../src/engine/runtime/node.js";
import type { Runtime } from "../../src/engine/runtime/runtime.js";
import { float32, floats, type Tensors, totalBytes } from "../../src/engine/tensor/hostTensor.js";
import { NonFiniteStep, Stepper } from "../../src/networks/optim/stepper.js";
import type { TrainStep } from "../../src/networks/optim/trainStep.js";
import { batchFor, narrowDeepLabStep, tinyStep } from "../smallStep.js";
import { onSoftwareGpu, RemoteRuntime } from "./softwareGpu.js";

const STEPS = 5;
/** Small, for AdamW makes a full step of the sign of a gradient, also where that is rounding. */
const RATE = 1e-4;

async function losses(runtime: Runtime, step: TrainStep, batch: (i: number) => Tensors): Promise<number[]> {
  const stepper = await Stepper.open(runtime, step, { seed: 1 });
  const found: number[] = [];
  for (let i = 0; i < STEPS; i++) found.push(floats((await stepper.run(batch(i), RATE)).loss, "loss")[0]!);
  await stepper.close();
  return found;
}

describe.skipIf(onSoftwareGpu.missing)(onSoftwareGpu.title, () => {
  let gpu: RemoteRuntime;
  beforeAll(() => {
    gpu = new RemoteRuntime();
  });
  afterAll(() => gpu.end());

  async function expectSameLosses(step: TrainStep, batch: (i: number) => Tensors): Promise<void> {
    const wanted = await losses(nodeRuntime(), step, batch);
    const found = await losses(gpu, step, batch);
    for (const [i, loss] of found.entries())
      expect(Math.abs(loss / wanted[i]! - 1), `step ${i + 1}`).toBeLessThan(1e-3);
    expect(new Set(found).size).toBe(STEPS);
  }

  test("a step that ended in NaN leaves the state as it was, and brings it to the host with what it was given", async () => {
    const step = tinyStep();
    const stepper = await Stepper.open(gpu, step, { seed: 1 });
    await stepper.run(batchFor(step, 0), 0.1);
    const before = await stepper.state();
    const batch = batchFor(step, 1);
    const spoilt = {
      ...batch,
      images: float32(
        batch.images!.shape,
        floats(batch.images, "images").map(() => Number.NaN),
      ),
    };
    const refused = await stepper.run(spoilt, 0.1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NonFiniteStep);
    expect((refused as NonFiniteStep).feeds).toMatchObject(before);
    expect([await stepper.state(), stepper.done]).toEqual([before, 1]);
    await stepper.run(batch, 0.1);
    expect(await stepper.state()).not.toEqual(before);
    await stepper.close();
  });

  test("a step moves its batch, its scalars and its measures, however many weights there are", async () => {
    const moved: number[] = [];
    const held: number[] = [];
    for (const channels of [2, 16]) {
      const step = tinyStep(undefined, channels);
      const stepper = await Stepper.open(gpu, step, { seed: 1 });
      for (const i of [0, 1]) await stepper.run(batchFor(step, i), 0.1);
      moved.push(stepper.movedBytes);
      held.push(totalBytes(await stepper.state()));
      await stepper.close();
    }
    const { images, labels } = batchFor(tinyStep(), 0);
    const [loss, gradientNorm, learningRate, step] = [4, 4, 4, 4];
    const own = totalBytes({ images: images!, labels: labels! }) + loss + gradientNorm + learningRate + step;
    expect(held[1]).toBeGreaterThan(7 * held[0]!);
    expect(moved[1]).toBe(moved[0]);
    // Beside these only shapes, eight bytes for each extent.
    expect(moved[0]! - own).toBeGreaterThanOrEqual(0);
    expect(moved[0]! - own).toBeLessThan(1000);
  });

  test("what is done on the device twice, or fetched and continued, ends with the same bits", async () => {
    const step = tinyStep();
    const run = async (stepper: Stepper, from: number, to: number): Promise<Tensors> => {
      for (let i = from; i < to; i++) await stepper.run(batchFor(step, i), 0.1);
      return stepper.state().finally(() => stepper.close());
    };
    const whole = await run(await Stepper.open(gpu, step, { seed: 1 }), 0, 4);
    const half = await run(await Stepper.open(gpu, step, { seed: 1 }), 0, 2);
    const resumed = await run(await Stepper.open(gpu, step, { seed: 7, state: half, done: 2 }), 2, 4);
    expect(resumed).toEqual(whole);
  });

  test("five steps of a narrow DeepLabV3+ have the losses of the CPU to 1e-3", async () => {
    const step = narrowDeepLabStep();
    await expectSameLosses(step, (i) => batchFor(step, i));
  });
});
