import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../platform/atomicFile.js";
import { readIfThere } from "../platform/files.js";
import { parseJson } from "../platform/json.js";
import { hasSeal, parseSealedJson, sealedJson } from "../platform/seal.js";
import type { TrainConfig } from "./config.js";
import { runFiles } from "./runFiles.js";

const share = z.number().min(0).max(1);

/** gamma.json of a run: γ as it was solved when the training was over (option `finalGamma`). */
const schema = z.strictObject({
  version: z.literal([1, 2]),
  gamma: z.number(),
  /** The share of pixels that two views agree on, and so the share of certain ones. */
  consistent: share,
  /** Of each image of the target, the share that is certain. */
  certain: z.array(share).min(1),
  /** sha256 of the weights it was solved for. */
  weights: z.string(),
});
const unsealed = schema.extend({ version: z.literal(1) });
export type FinalGamma = z.infer<typeof schema>;

/** Whether trainings of a config end with solving for γ. Where no pixel is compared by views and prototypes, none can be solved. */
export function solvesFinalGamma(config: TrainConfig): boolean {
  if (config.method !== "gamma-ssl") return false;
  const { finalGamma, training, certainty, branches, perturbation } = config.options;
  const comparable = branches.query === "prototypes" && perturbation.kind === "views";
  return finalGamma === "solved" && training.adaptation > 0 && certainty.kind === "gamma" && comparable;
}

/** Null where a run has none yet. Damage is refused; version 1 had no seal. */
export async function readFinalGamma(folder: string): Promise<FinalGamma | null> {
  const path = join(folder, runFiles.gamma);
  const bytes = await readIfThere(path);
  if (bytes === null) return null;
  const form = { schema, hint: "remove it; the command that trained solves for γ again" };
  return hasSeal(bytes)
    ? parseSealedJson(bytes, path, form)
    : parseJson(bytes.toString("utf8"), path, { ...form, schema: unsealed });
}

export const writeFinalGamma = (folder: string, final: FinalGamma): Promise<void> =>
  writeAtomically(join(folder, runFiles.gamma), sealedJson(final), { durable: true });
