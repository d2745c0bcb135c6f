import type { Runtime } from "../../src/engine/runtime/runtime.js";
import { floats, type Tensors } from "../../src/engine/tensor/hostTensor.js";
import { type GammaOptions, paper, small } from "../../src/methods/gamma-ssl/options.js";
import { gammaStep } from "../../src/methods/gamma-ssl/step.js";
import { Stepper } from "../../src/networks/optim/stepper.js";
import type { TrainStep } from "../../src/networks/optim/trainStep.js";
import { gammaBatch, tiniestPlan } from "../gammaBatch.js";
import { batchFor, narrowDeepLabStep } from "../smallStep.js";

/** A step and its batches, by number. */
export interface SmallTraining {
  readonly step: TrainStep;
  /** Small, for AdamW makes a full step of the sign of a gradient, also where that is rounding. */
  readonly learningRate: number;
  batch(i: number): Tensors;
}

/** The second stage of the method: all losses, prototypes, M_γ and the teacher of a profile, of a network as narrow as can be. */
function adaptation(options: GammaOptions, learningRate: number): SmallTraining {
  const step = gammaStep(tiniestPlan("adaptation", options));
  return { step, learningRate, batch: (i) => gammaBatch(step, i) };
}

function supervised(): SmallTraining {
  const step = narrowDeepLabStep(32);
  return { step, learningRate: 1e-4, batch: (i) => batchFor(step, i) };
}

/** The trainings whose losses on a GPU are compared with those on the CPU. Plain names: pages ask for them, too. */
export const trainings = {
  "a supervised DeepLabV3+": supervised,
  "γ-SSL as in `small`": () => adaptation(small, 1e-4),
  // Batch norm over two images of 2 x 2 cells: at 1e-4 two spellings of the step on the CPU are 3e-3 apart after five steps, too.
  "γ-SSL as in `paper`": () => adaptation(paper, 1e-6),
} as const;
export type TrainingName = keyof typeof trainings;

const STEPS = 5;

/**
 * Of each step the losses, all parts by name, and γ; of the first the length of the gradient, too. Later ones say little: where batch norm sees
 * two numbers, two spellings of a step on the CPU differ by a twentieth.
 */
export type Losses = readonly Readonly<Record<string, number>>[];

/** The losses of the first steps, and the bytes that the last of them moved. */
export async function lossesOf(
  runtime: Runtime,
  name: TrainingName,
): Promise<{ readonly losses: Losses; readonly movedBytes: number }> {
  const { step, batch, learningRate } = trainings[name]();
  const stepper = await Stepper.open(runtime, step, { seed: 1 });
  const losses: Record<string, number>[] = [];
  for (let i = 0; i < STEPS; i++) {
    const compared = i === 0 ? /^loss|^gamma$|^gradientNorm$/ : /^loss|^gamma$/;
    const measured = Object.entries(await stepper.run(batch(i), learningRate)).filter(([key]) => compared.test(key));
    losses.push(Object.fromEntries(measured.map(([key, tensor]) => [key, floats(tensor, key)[0]!])));
  }
  const { movedBytes } = stepper;
  await stepper.close();
  return { losses, movedBytes };
}

/** The largest relative difference between two trainings, over all losses of all steps. */
export const apart = (found: Losses, wanted: Losses): number =>
  Math.max(
    ...wanted.flatMap((step, i) => Object.entries(step).map(([name, loss]) => Math.abs(found[i]![name]! / loss - 1))),
  );
