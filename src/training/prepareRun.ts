import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { requireSameClasses } from "../data/datasets/sameClasses.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { environment } from "../platform/environment.js";
import { UserError } from "../platform/errors.js";
import { readJsonIfThere } from "../platform/json.js";
import { contentHash, differences, readConfig, type TrainConfig } from "../runs/config.js";
import { goingOn } from "../runs/extended.js";
import { runFiles } from "../runs/runFiles.js";
import { changedIngredients, type Ingredients, ingredientsOf, ingredientsSchema } from "./ingredients.js";
import type { TrainingData } from "./stage.js";
import type { Pace, TrainJob } from "./trainJob.js";

export interface RunRequest {
  readonly folder: string;
  readonly config: TrainConfig;
  readonly data: TrainingData;
  readonly validation: Dataset | null;
  readonly pace: Pace;
  /** Begin again: what an earlier run left in the folder is removed. */
  readonly overwrite: boolean;
  /** The command as it was typed, for the record. */
  readonly command: string;
}

/**
 * Make a run folder (held by a lock) ready, or find it half done: the same config and data go on, also with more steps; others are
 * refused. `config.json` is the resolved config, `run.json` the rest of what the run depends on.
 */
export async function prepareRun(request: RunRequest): Promise<TrainJob> {
  const { folder, config, data, validation, pace, overwrite } = request;
  const { source } = data;
  if (validation !== null) requireSameClasses(validation, classesOf(source), source.spec);
  const ingredients = await ingredientsOf(folder, config, data);
  if (overwrite) await removeRun(folder);
  const found = await readRun(folder);
  const going = found === null ? null : goingOn(config, found.config);
  if (found !== null && (going === null || changedIngredients(ingredients, found.ingredients).length > 0)) {
    // Nothing was learned yet, e.g. because the training was refused: there is nothing to protect.
    if (await hasSteps(folder)) refuseOther(folder, { config, ingredients }, found);
    await removeRun(folder);
  } else if (found !== null && going !== null) {
    if (going !== found.config) await writeConfig(folder, going);
    return { folder, config: going, run: found.run, data, validation, pace };
  }
  const run = contentHash({ config, ingredients });
  const started = new Date().toISOString();
  const story = { run, ingredients, command: request.command, started, environment: environment() };
  await writeConfig(folder, config);
  await writeAtomically(join(folder, runFiles.run), `${JSON.stringify(story, null, 2)}\n`, { durable: true });
  return { folder, config, run, data, validation, pace };
}

const writeConfig = (folder: string, config: TrainConfig): Promise<void> =>
  writeAtomically(join(folder, runFiles.config), `${JSON.stringify(config, null, 2)}\n`, { durable: true });

async function removeRun(folder: string): Promise<void> {
  for (const name of Object.values(runFiles)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Whether a run has anything to lose. */
async function hasSteps(folder: string): Promise<boolean> {
  const saved = await readdir(join(folder, runFiles.checkpoints)).catch(() => []);
  return saved.length > 0 || existsSync(join(folder, runFiles.weights));
}

interface FoundRun {
  readonly run: string;
  readonly ingredients: Ingredients;
  readonly config: TrainConfig;
}

const recordForm = {
  schema: z.looseObject({ run: z.string(), ingredients: ingredientsSchema }),
  hint: "use --overwrite to start over in this folder, or restore the file from a copy",
};

export async function readRun(folder: string): Promise<FoundRun | null> {
  const found = await readJsonIfThere(join(folder, runFiles.run), recordForm);
  return found === null ? null : { ...found, config: await readConfig(join(folder, runFiles.config)) };
}

function refuseOther(folder: string, here: Omit<FoundRun, "run">, there: FoundRun): never {
  const reasons = [
    ...differences(here.config, there.config),
    ...changedIngredients(here.ingredients, there.ingredients),
  ];
  throw new UserError(`${folder} holds another run: ${reasons.join("; ")}`, {
    hint: "use another folder (--to), or --overwrite to start over in this one",
  });
}
