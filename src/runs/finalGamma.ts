import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { UserError } from "../platform/errors.js";
import { writeAtomically } from "../platform/atomicFile.js";
import type { TrainConfig } from "./config.js";
import { runFiles } from "./runFiles.js";

const share = z.number().min(0).max(1);

/** gamma.json of a run: γ as it was solved when the training was over (option `finalGamma`). */
const schema = z.strictObject({
  version: z.literal(1),
  gamma: z.number(),
  /** The share of pixels that two views agree on, and so the share of certain ones. */
  consistent: share,
  /** Of each image of the target, the share that is certain. */
  certain: z.array(share).min(1),
  /** sha256 of the weights it was solved for. */
  weights: z.string(),
});
export type FinalGamma = z.infer<typeof schema>;

/** Whether trainings of a config end with solving for γ. Where no pixel is compared by views and prototypes, none can be solved. */
export function solvesFinalGamma(config: TrainConfig): boolean {
  if (config.method !== "gamma-ssl") return false;
  const { finalGamma, training, certainty, branches, perturbation } = config.options;
  const comparable = branches.query === "prototypes" && perturbation.kind === "views";
  return finalGamma === "solved" && training.adaptation > 0 && certainty.kind === "gamma" && comparable;
}

/** Null where a run has none yet. */
export async function readFinalGamma(folder: string): Promise<FinalGamma | null> {
  const file = join(folder, runFiles.gamma);
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new UserError(`${file} is not what a training writes`, {
      hint: "remove it; the command that trained solves for γ again",
      cause,
    });
  }
}

export const writeFinalGamma = (folder: string, settled: FinalGamma): Promise<void> =>
  writeAtomically(join(folder, runFiles.gamma), `${JSON.stringify(settled)}\n`, { durable: true });
