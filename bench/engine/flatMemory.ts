import { nodeRuntime } from "../../src/engine/runtime/node.js";
import { Stepper } from "../../src/networks/optim/stepper.js";
import { batchFor, narrowDeepLabStep } from "../../test/smallStep.js";

/** Resident memory of this process while a small network trains: flat means nothing leaks. */
export async function flatMemory(steps: number): Promise<{ step: number; bytes: number }[]> {
  const step = narrowDeepLabStep();
  const stepper = await Stepper.open(nodeRuntime({ threads: 1 }), step, { seed: 0 });
  const batch = batchFor(step, 0);
  const marks: { step: number; bytes: number }[] = [];
  for (let i = 1; i <= steps; i++) {
    await stepper.run(batch, 1e-4);
    if (i % (steps / 10) === 0) marks.push({ step: i, bytes: process.memoryUsage.rss() });
  }
  await stepper.close();
  const [early, late] = [marks[1]!.bytes, marks.at(-1)!.bytes];
  console.log(
    `\n${steps} steps of a small network: ${marks.map(({ bytes }) => (bytes / 2 ** 20).toFixed(0)).join(" ")} MiB resident; ` +
      `${(((late - early) / early) * 100).toFixed(1)} % from step ${marks[1]!.step} to ${steps}`,
  );
  return marks;
}
