import { join } from "node:path";
import { z } from "zod";
import { UserError } from "../platform/errors.js";
import { readIfThere } from "../platform/files.js";
import { type JsonForm, readJsonIfThere } from "../platform/json.js";
import { parseSealedJson } from "../platform/seal.js";
import { resolveConfig, type TrainConfig } from "../runs/config.js";
import { departures } from "../runs/departures.js";
import { solvesFinalGamma } from "../runs/finalGamma.js";
import { runFiles } from "../runs/runFiles.js";
import { outlineOf } from "../training/stages.js";
import type { StageOutline } from "../training/trainJob.js";

/** What was trained in a run folder, for readers of its numbers. */
export interface RunStory {
  readonly run: string;
  /** The method with its profile and ablation. */
  readonly method: string;
  readonly source: string;
  readonly targets: readonly string[];
  readonly stages: readonly StageOutline[];
  /** Whether the last part of it is to solve for γ. */
  readonly solvesGamma: boolean;
  /** The file it began with; null where weights were drawn. */
  readonly weights: string | null;
  readonly seed: number;
  /** How settings of γ-SSL depart from the paper's. */
  readonly departures: readonly string[];
  /** Undefined where the folder does not say. */
  readonly command?: string | undefined;
  readonly started?: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

const settings: JsonForm<Record<string, unknown>> = {
  schema: z.record(z.string(), z.unknown()),
  hint: "gssl train writes it",
};

const record: JsonForm<{
  command?: string | undefined;
  started?: string | undefined;
  environment?: Record<string, string> | undefined;
}> = {
  schema: z.object({
    command: z.string().optional(),
    started: z.string().optional(),
    environment: z.record(z.string(), z.string()).optional(),
  }),
  hint: "gssl train writes it",
};

/** What the run folder says of its beginning; null where there is no such file. Damage is refused: the report would tell another story. */
async function readRecord(path: string) {
  const bytes = await readIfThere(path);
  return bytes === null ? null : parseSealedJson(bytes, path, record);
}

/** Null for a folder in which nothing was trained: results of other programs have no config. */
async function readStory(folder: string, run: string): Promise<RunStory | null> {
  const path = join(folder, runFiles.config);
  const found = await readJsonIfThere(path, settings);
  if (found === null) return null;
  const config = resolveConfig(found, path);
  const { command, started, environment = {} } = (await readRecord(join(folder, runFiles.run))) ?? {};
  return {
    run,
    method: methodOf(config),
    source: config.source,
    targets: config.method === "gamma-ssl" ? config.targets : [],
    stages: outlineOf(config),
    solvesGamma: solvesFinalGamma(config),
    weights: config.weights,
    seed: config.seed,
    departures: config.method === "gamma-ssl" ? departures(config) : [],
    command,
    started,
    environment,
  };
}

/** The same, and what is wrong where a config cannot be read: a report of results does not fail of it. */
export const readStoryIfSound = (folder: string, run: string): Promise<RunStory | string | null> =>
  readStory(folder, run).catch((error: unknown) => {
    if (error instanceof UserError) return error.message;
    throw error;
  });

function methodOf(config: TrainConfig): string {
  if (config.method === "supervised") return config.teacher === undefined ? "supervised" : "distilled from MC dropout";
  return `γ-SSL, profile ${config.profile}${config.ablation === null ? "" : `, ablation ${config.ablation}`}`;
}
