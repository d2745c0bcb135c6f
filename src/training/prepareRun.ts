import { createHash } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { requireSameClasses } from "../data/datasets/sameClasses.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { contentHash, differences, resolveConfig, type TrainConfig } from "../runs/config.js";
import { runFiles } from "../runs/runFiles.js";
import type { TrainingData } from "./stage.js";
import type { Pace, TrainJob } from "./trainLoop.js";

export interface RunRequest {
  readonly folder: string;
  readonly config: TrainConfig;
  readonly data: TrainingData;
  readonly validation: Dataset | null;
  readonly pace: Pace;
  /** Begin again: what an earlier run left in the folder is removed. */
  readonly fresh: boolean;
  /** The command as it was typed, for whoever finds the folder. */
  readonly command: string;
}

/** What the weights of a run depend on beside its config. */
interface Ingredients {
  readonly source: string;
  readonly targets: readonly string[];
  readonly weights: string | null;
  /** Only where there is a teacher. */
  readonly teacher?: string;
}

/**
 * Make a run folder (held by a lock) ready, or find it half done: the same config and data go on, others are refused. `config.json` is the
 * resolved config, `run.json` the rest of what the run depends on.
 */
export async function prepareRun(request: RunRequest): Promise<TrainJob> {
  const { folder, config, data, validation, pace, fresh } = request;
  const { source } = data;
  if (validation !== null) requireSameClasses(validation, classesOf(source), source.spec);
  const ingredients: Ingredients = {
    source: await fingerprint(source),
    targets: await Promise.all(data.targets.map(fingerprint)),
    weights: config.weights === null ? null : await fileHash(config.weights),
    ...(config.method === "supervised" &&
      config.teacher !== undefined && { teacher: await fileHash(join(folder, config.teacher.weights)) }),
  };
  const run = contentHash({ config, ingredients });
  if (fresh) for (const name of Object.values(runFiles)) await rm(join(folder, name), { recursive: true, force: true });
  const found = await readRun(folder);
  if (found === null) {
    const story = { run, ingredients, command: request.command, started: new Date().toISOString() };
    await writeAtomically(join(folder, runFiles.config), `${JSON.stringify(config, null, 2)}\n`, { durable: true });
    await writeAtomically(join(folder, runFiles.run), `${JSON.stringify(story, null, 2)}\n`, { durable: true });
  } else if (found.run !== run) refuseOther(folder, { config, ingredients }, found);
  return { folder, config, run: found?.run ?? run, data, validation, pace };
}

interface FoundRun {
  readonly run: string;
  readonly ingredients: Ingredients;
  readonly config: TrainConfig;
}

export async function readRun(folder: string): Promise<FoundRun | null> {
  const path = join(folder, runFiles.run);
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  try {
    const { run, ingredients } = JSON.parse(text) as FoundRun;
    const config = resolveConfig(JSON.parse(await readFile(join(folder, runFiles.config), "utf8")), "config.json");
    return { run, ingredients, config };
  } catch (cause) {
    throw new UserError(`${path}: not the record of a run`, { hint: "use --fresh to begin again", cause });
  }
}

function refuseOther(folder: string, here: Omit<FoundRun, "run">, there: FoundRun): void {
  const settings = differences(here.config, there.config);
  const data = (Object.keys(here.ingredients) as (keyof Ingredients)[]).filter(
    (key) => contentHash(here.ingredients[key]) !== contentHash(there.ingredients[key]),
  );
  const reasons = [...settings, ...data.map((key) => `the files of "${key}" have changed since`)];
  if (reasons.length === 0) return; // the same data sets, spelt otherwise
  throw new UserError(`${folder} holds another run: ${reasons.join("; ")}`, {
    hint: "use another folder (--to), or --fresh to begin again in this one",
  });
}

/** Names and lengths of every file: enough to notice that a data set is not the one it was. */
export async function fingerprint({ items, labelling }: Dataset): Promise<string> {
  const lengths: unknown[] = [];
  for (const { id, image, labels } of items) {
    const sizes = await Promise.all(
      [image, ...(labels === null ? [] : [labels])].map(async (path) => (await stat(path)).size),
    );
    lengths.push([id, ...sizes]);
  }
  return contentHash([labelling, lengths]);
}

async function fileHash(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new UserError(`cannot read the weights ${path}`, { hint: "is the path right?", cause });
  });
  return createHash("sha256").update(bytes).digest("hex");
}
