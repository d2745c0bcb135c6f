import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DeployedModel } from "../../src/deployment/model/deployedModel.js";
import { compile } from "../../src/engine/runtime/compile.js";
import { deviceTest } from "../../src/engine/runtime/deviceTest.js";
import { nodeRuntime } from "../../src/engine/runtime/node.js";
import { float32, floats, type Tensors, totalBytes } from "../../src/engine/tensor/hostTensor.js";
import { readSafetensors } from "../../src/engine/tensor/safetensors.js";
import { exportModel } from "../../src/index.js";
import { NonFiniteStep, Stepper } from "../../src/networks/optim/stepper.js";
import { testImage } from "../folders.js";
import { batchFor, tinyStep } from "../smallStep.js";
import { writeTinyRun } from "../tinyRun.js";
import { distance, opCases } from "../torchOpCases.js";
import { onSoftwareGpu, RemoteRuntime } from "./softwareGpu.js";
import { apart, lossesOf, type TrainingName, trainings } from "./trainings.js";

/** Height and width: of training, smaller, and of no multiple of anything. */
const SIZES = [
  [128, 256],
  [64, 96],
  [61, 75],
] as const;

// All in one process: shaders are compiled once, and that is most of the time.
describe.skipIf(onSoftwareGpu.missing)(onSoftwareGpu.title, () => {
  let gpu: RemoteRuntime;
  let root: string;
  beforeAll(async () => {
    gpu = new RemoteRuntime();
    root = await mkdtemp(join(tmpdir(), "gpu-"));
  });
  afterAll(async () => {
    await gpu.end();
    await rm(root, { recursive: true, force: true });
  });

  test("the self-test of devices passes", async () => {
    expect(await deviceTest(gpu, nodeRuntime())).toEqual([]);
  });

  describe("agrees with PyTorch to 1e-3:", () => {
    test.each(opCases.map((one) => [one.name, one] as const))("%s", async (_, { outputs, feeds, wanted }) => {
      const program = await compile(gpu, { outputs });
      const results = await program.run(feeds).finally(() => program.close());
      for (const [key, value] of Object.entries(wanted)) {
        expect(results[key]!.shape, key).toEqual(value.shape);
        expect(distance(results[key]!, value, key), key).toBeLessThan(1e-3);
      }
    });
  });

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
    // Labels travel as int32.
    const own = totalBytes({ images: images! }) + 4 * labels!.data.length + loss + gradientNorm + learningRate + step;
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

  test.each(Object.keys(trainings) as TrainingName[])(
    "five steps of %s have the losses of the CPU to 1e-3, and no node is left to the CPU",
    async (name) => {
      const [wanted, found] = [await lossesOf(nodeRuntime(), name), await lossesOf(gpu, name)];
      expect(apart(found.losses, wanted.losses)).toBeLessThan(1e-3);
      expect(new Set(found.losses.map(({ loss }) => loss)).size).toBe(5);
      expect(found.movedBytes).toBeLessThan(wanted.movedBytes / 2);
      expect(gpu.placement).toMatchObject({ cpu: {}, copies: 0 });
      expect(gpu.placement!.device).toBeGreaterThan(1000);
    },
  );

  test("the demo's deployed network gives the similarities of the CPU to 1e-3, and its classes but for ties, at three sizes", async () => {
    const source = "scenes:city?split=train&count=2&height=128&width=256";
    const { tensors: weights } = readSafetensors(await readFile("assets/city.safetensors"), "city.safetensors");
    const trained = { network: { width: 0.5, features: 96 }, weights };
    await writeTinyRun(root, { source, targets: [source], classes: 19, trained });
    await exportModel(root, { cache: join(root, "cache"), threads: 1 });
    const file = join(root, "model.onnx");
    const [here, there] = [await DeployedModel.read(nodeRuntime(), file), await DeployedModel.read(gpu, file)];
    for (const [height, width] of SIZES) {
      const rgb = new Uint8Array(await testImage(width, height, 5).removeAlpha().raw().toBuffer());
      const [wanted, found] = [await here.predict({ height, width, rgb }), await there.predict({ height, width, rgb })];
      const worst = found.similarity.reduce((most, s, i) => Math.max(most, Math.abs(s - wanted.similarity[i]!)), 0);
      expect(worst, `${height}x${width}`).toBeLessThan(1e-3);
      const others = found.predicted.filter((k, i) => k !== wanted.predicted[i]).length;
      expect(others / found.predicted.length, `${height}x${width}`).toBeLessThan(0.001);
    }
    await Promise.all([here.close(), there.close()]);
  });
});
