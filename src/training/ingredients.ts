import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { dataFingerprint } from "../data/datasets/dataFingerprint.js";
import { readRegularFile } from "../platform/files.js";
import { sha256 } from "../platform/seal.js";
import type { TrainConfig } from "../runs/config.js";
import type { TrainingData } from "./stage.js";

/** What the weights of a run depend on beside its config: hashes of content, of labels as of images. */
export const ingredientsSchema = z.strictObject({
  source: z.string(),
  targets: z.array(z.string()),
  weights: z.string().nullable(),
  /** Only where there is a teacher. */
  teacher: z.string().optional(),
});
export type Ingredients = z.infer<typeof ingredientsSchema>;

export async function ingredientsOf(folder: string, config: TrainConfig, data: TrainingData): Promise<Ingredients> {
  const taught = config.method === "supervised" ? config.teacher : undefined;
  // One that is gone will be trained again, to the same bytes.
  const teacher = taught === undefined ? null : join(folder, taught.weights);
  const targets: string[] = [];
  for (const target of data.targets) targets.push(await dataFingerprint(target));
  return {
    source: await dataFingerprint(data.source),
    targets,
    weights: config.weights === null ? null : await fileHash(config.weights),
    ...(teacher !== null && existsSync(teacher) && { teacher: await fileHash(teacher) }),
  };
}

/** What of a training is not as an earlier one had it, to say why it cannot go on. */
export const changedIngredients = (here: Ingredients, there: Ingredients): string[] =>
  (Object.keys(here) as (keyof Ingredients)[])
    .filter((key) => String(here[key]) !== String(there[key]))
    .map((key) => `the files of "${key}" have changed since, or an earlier version noted less of them`);

const fileHash = async (path: string): Promise<string> => sha256(await readRegularFile(path));
