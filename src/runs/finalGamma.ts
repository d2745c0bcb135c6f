import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../platform/atomicFile.js";
import { readIfThere } from "../platform/files.js";
import { parseSealedJson, sealedJson } from "../platform/seal.js";
import type { TrainConfig } from "./config.js";
import { runFiles } from "./runFiles.js";

const share = z.number().min(0).max(1);

/** gamma.json of a run: γ as it was solved when the training was over (option `finalGamma`). */
const schema = z.strictObject({
  version: z.literal(2),
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

/** Null where a run has none yet. Damage is refused. */
export async function readFinalGamma(folder: string): Promise<FinalGamma | null> {
  const path = join(folder, runFiles.gamma);
  const bytes = await readIfThere(path);
  if (bytes === null) return null;
  return parseSealedJson(bytes, path, { schema, hint: "remove it; the command that trained solves for γ again" });
}

export const writeFinalGamma = (folder: string, final: FinalGamma): Promise<void> =>
  writeAtomically(join(folder, runFiles.gamma), sealedJson(final), { durable: true });
