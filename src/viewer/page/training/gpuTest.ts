import { deviceTest } from "../../../engine/runtime/deviceTest.js";
import type { Runtime } from "../../../engine/runtime/runtime.js";
import type { TabTraining } from "./tabTraining.js";

/** Losses that differ by a larger share are not rounding. */
const MOST_DIFFERENCE = 1e-3;

/**
 * Why WebGPU may not train: an op, or the loss of one of the first two steps, differs from WebAssembly's; or it is slower, where only the
 * fastest is wanted. Null where it may.
 */
export async function gpuRefusal(
  gpu: Runtime,
  cpu: Runtime,
  begin: (runtime: Runtime) => TabTraining,
  { fastest }: { readonly fastest: boolean },
): Promise<string | null> {
  try {
    const wrong = await deviceTest(gpu, cpu);
    if (wrong.length > 0) return `WebGPU gives wrong results: ${wrong.join(", ")}`;
    return await compareSteps(begin(gpu), begin(cpu), fastest);
  } catch (error) {
    return `WebGPU failed: ${(error as Error).message}`;
  }
}

/** The second step is the one that is timed: the first compiles shaders. */
async function compareSteps(gpu: TabTraining, cpu: TabTraining, fastest: boolean): Promise<string | null> {
  try {
    let times = { gpu: 0, cpu: 0 };
    for (let step = 1; step <= 2; step++) {
      const [found, wanted] = [await timedStep(gpu), await timedStep(cpu)];
      if (!(Math.abs(found.loss / wanted.loss - 1) <= MOST_DIFFERENCE)) {
        const apart = `${found.loss.toPrecision(5)} instead of ${wanted.loss.toPrecision(5)}`;
        return `WebGPU gives wrong results: the loss of step ${step} is ${apart}`;
      }
      times = { gpu: found.milliseconds, cpu: wanted.milliseconds };
    }
    if (!fastest || times.gpu <= times.cpu) return null;
    return `WebGPU is slower here: ${times.gpu.toFixed(0)} ms a step, WebAssembly ${times.cpu.toFixed(0)} ms`;
  } finally {
    await gpu.close();
    await cpu.close();
  }
}

async function timedStep(training: TabTraining): Promise<{ loss: number; milliseconds: number }> {
  await training.prepare();
  const started = performance.now();
  const { scalars } = await training.step();
  return { loss: scalars.loss!, milliseconds: performance.now() - started };
}
