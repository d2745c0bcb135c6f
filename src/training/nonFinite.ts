import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findNonFinite } from "../engine/runtime/compile.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import type { Tensors } from "../engine/tensor/hostTensor.js";
import { readSafetensors, writeSafetensors } from "../engine/tensor/safetensors.js";
import type { TrainStep } from "../networks/optim/trainStep.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { resolveConfig, type TrainConfig } from "../runs/config.js";
import { stagesOf } from "./stages.js";

/** A step that gave a NaN, with everything it was given: it can be replayed on any machine. */
export interface Bundle {
  readonly config: TrainConfig;
  readonly classes: readonly string[];
  /** Which of its stages. */
  readonly stage: number;
  readonly feeds: Tensors;
}

/** Written beside the run; returns what made the first NaN. */
export async function writeBundle(
  folder: string,
  { config, classes, stage, feeds }: Bundle,
  { step, runtime }: { readonly step: TrainStep; readonly runtime: Runtime },
): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeAtomically(join(folder, "feeds.safetensors"), writeSafetensors(feeds), { durable: true });
  await writeAtomically(join(folder, "bundle.json"), JSON.stringify({ config, classes, stage }), { durable: true });
  const cause = await causeOf(step, runtime, feeds);
  await writeAtomically(join(folder, "cause.txt"), `${cause}\n`, { durable: true });
  return cause;
}

/** Run the step of a bundle again and say what made the first NaN. */
async function replayBundle(folder: string, runtime: Runtime): Promise<string> {
  const read = async (name: string): Promise<Buffer> =>
    readFile(join(folder, name)).catch((cause: unknown) => {
      throw new UserError(`${join(folder, name)} cannot be read`, {
        hint: 'a bundle is a folder called "non-finite-step-N" in a run folder',
        cause,
      });
    });
  const { config, classes, stage } = JSON.parse((await read("bundle.json")).toString("utf8")) as Omit<Bundle, "feeds">;
  const { tensors } = readSafetensors(await read("feeds.safetensors"), join(folder, "feeds.safetensors"));
  const { step } = stagesOf(resolveConfig(config, join(folder, "bundle.json")))[stage]!.build(classes);
  return causeOf(step, runtime, tensors);
}

const causeOf = async (step: TrainStep, runtime: Runtime, feeds: Tensors): Promise<string> =>
  (await findNonFinite(runtime, step.graph, feeds)) ?? "every value was finite when the step was run again";

/** Run a step that was not finite once more, from the folder that its training left, and say which node made it so. */
export const replayStep = (folder: string): Promise<string> => replayBundle(folder, nodeRuntime());
