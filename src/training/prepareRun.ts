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
import { readIfThere } from "../platform/files.js";
import { parseSealedJson, sealedJson } from "../platform/seal.js";
import { sealedSteps } from "../runs/checkpoints.js";
import { contentHash, readConfig, type TrainConfig } from "../runs/config.js";
import { departures } from "../runs/departures.js";
import { type Continuation, goingOn, totalSteps } from "../runs/extended.js";
import { runFiles } from "../runs/runFiles.js";
import { readSealedTensors } from "../runs/sealedTensors.js";
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
export async function prepareRun(request: RunRequest, onNote: (note: string) => void = () => {}): Promise<TrainJob> {
  const { folder, config, data, validation, pace, overwrite } = request;
  const { source } = data;
  if (validation !== null) requireSameClasses(validation, classesOf(source), source.spec);
  const ingredients = await ingredientsOf(folder, config, data);
  if (overwrite) await removeRun(folder);
  const found = await readRun(folder);
  // Without a step, e.g. because the training was refused, there is nothing to protect.
  if (found !== null && (await hasSteps(folder))) {
    const { going, reasons } = await standing(folder, config, found);
    const changed = changedIngredients(ingredients, found.ingredients);
    if (going === null || changed.length > 0) refuseOther(folder, { reasons, changed }, found);
    if (going.kind === "more") await writeConfig(folder, going.config);
    else if (going.since > 0)
      onNote(`${folder} was given ${going.since} more steps since: it goes on with all of them`);
    return { folder, config: going.config, run: found.run, data, validation, pace };
  }
  if (found !== null) await removeRun(folder);
  const run = contentHash({ config, ingredients });
  const started = new Date().toISOString();
  const record = { run, ingredients, command: request.command, started, environment: environment() };
  const story = config.method === "gamma-ssl" ? { ...record, departures: departures(config) } : record;
  await writeConfig(folder, config);
  await writeAtomically(join(folder, runFiles.run), sealedJson(story, 2), { durable: true });
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
  /** That began it. */
  readonly command: string;
  readonly ingredients: Ingredients;
  readonly config: TrainConfig;
}

const recordForm = {
  schema: z.looseObject({ run: z.string(), command: z.string(), ingredients: ingredientsSchema }),
  hint: "use --overwrite to start over in this folder, or restore the file from a copy",
};

export async function readRun(folder: string): Promise<FoundRun | null> {
  const path = join(folder, runFiles.run);
  const bytes = await readIfThere(path);
  if (bytes === null) return null;
  return { ...parseSealedJson(bytes, path, recordForm), config: await readConfig(join(folder, runFiles.config)) };
}

interface Standing {
  /** Null where the run is another one. */
  readonly going: Exclude<Continuation, { kind: "other" }> | null;
  /** Why it is. */
  readonly reasons: readonly string[];
}

/** Whether the run in a folder goes on with a config. More steps are for a finished one: half a stage is the end of nothing. */
export async function standing(folder: string, config: TrainConfig, found: FoundRun): Promise<Standing> {
  const going = goingOn(config, found.config);
  if (going.kind === "other") return { going: null, reasons: going.differences };
  if (going.kind === "same") return { going, reasons: [] };
  const [done, all] = [await endOf(folder), totalSteps(found.config)];
  if (done === all) return { going, reasons: [] };
  const saved = Math.max(done, (await sealedSteps(join(folder, runFiles.checkpoints)).catch(() => []))[0] ?? 0);
  const steps = `${going.asked} steps here, ${going.has} there`;
  return {
    going: null,
    reasons: [`${steps}, and it takes more only when it is finished (it is at ${saved} of ${all})`],
  };
}

/** Steps after which a run ended; 0 where it has not. */
async function endOf(folder: string): Promise<number> {
  const path = join(folder, runFiles.weights);
  if (!existsSync(path)) return 0;
  const hint = "the command that trained it writes it again where a checkpoint is left; else restore it from a copy";
  return Number((await readSealedTensors(path, hint)).metadata.step);
}

function refuseOther(
  folder: string,
  { reasons, changed }: { reasons: readonly string[]; changed: readonly string[] },
  { command }: FoundRun,
): never {
  const going = changed.length === 0 ? `; what it holds goes on with: ${command}` : "";
  throw new UserError(`${folder} holds another run: ${[...reasons, ...changed].join("; ")}`, {
    hint: `use another folder (--to), or --overwrite to start over in this one${going}`,
  });
}
