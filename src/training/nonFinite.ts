import { join } from "node:path";
import { z } from "zod";
import { findNonFinite } from "../engine/runtime/compile.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import type { Tensors } from "../engine/tensor/hostTensor.js";
import { readSafetensors, writeSafetensors } from "../engine/tensor/safetensors.js";
import type { TrainStep } from "../networks/optim/trainStep.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { makeFolder, readRegularFile } from "../platform/files.js";
import { readJson } from "../platform/json.js";
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
  await makeFolder(folder);
  await writeAtomically(join(folder, "feeds.safetensors"), writeSafetensors(feeds), { durable: true });
  await writeAtomically(join(folder, "bundle.json"), JSON.stringify({ config, classes, stage }), { durable: true });
  const cause = await causeOf(step, runtime, feeds);
  await writeAtomically(join(folder, "cause.txt"), `${cause}\n`, { durable: true });
  return cause;
}

/** Run a step that was not finite once more, from the folder that its training left, and say which node made it so. */
export async function replayStep(folder: string): Promise<string> {
  const path = join(folder, "bundle.json");
  const { config, classes, stage } = await readJson(path, { schema: bundleSchema, hint: BUNDLE });
  const feeds = join(folder, "feeds.safetensors");
  const { tensors } = readSafetensors(await readRegularFile(feeds), feeds);
  const built = stagesOf(resolveConfig(config, path))[stage];
  if (built === undefined) throw new UserError(`${path}: its training has no stage ${stage}`, { hint: BUNDLE });
  return causeOf(built.build(classes).step, nodeRuntime(), tensors);
}

const BUNDLE = 'a bundle is a folder called "non-finite-step-N" in a run folder';
const bundleSchema = z.object({
  config: z.record(z.string(), z.unknown()),
  classes: z.array(z.string()).min(1),
  stage: z.int().min(0),
});

const causeOf = async (step: TrainStep, runtime: Runtime, feeds: Tensors): Promise<string> =>
  (await findNonFinite(runtime, step.graph, feeds)) ?? "every value was finite when the step was run again";
