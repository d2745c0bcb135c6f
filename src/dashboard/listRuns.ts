import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, FileError } from "../platform/files.js";
import { readStoryIfSound } from "../report/runStory.js";
import { runFiles } from "../runs/runFiles.js";
import { judgeRun } from "./runState.js";

/** A run of a folder of runs. */
export interface ListedRun {
  readonly folder: string;
  /** As in the page of `watch`: finished, running, stopped, killed … */
  readonly state: string;
  /** The last step in its log, and all it is asked for; null where that is not known. */
  readonly step: number | null;
  readonly steps: number | null;
  /** With profile and ablation; empty where the folder does not say. */
  readonly method: string;
  readonly source: string;
  readonly targets: readonly string[];
}

/** Runs right below a folder, by name. Nothing but their configs, locks and the ends of their logs is read. */
export async function listRuns(folder: string): Promise<ListedRun[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new FileError(folder, codeOf(cause), cause);
  });
  const listed: ListedRun[] = [];
  for (const name of names.sort()) {
    const run = join(folder, name);
    const read = await readStoryIfSound(run, name);
    if (read === null) continue;
    const step = await lastStep(join(run, runFiles.log));
    const story = typeof read === "string" ? null : read;
    const { state } = await judgeRun(run, { step, story });
    const { method = "", source = "", targets = [], stages } = story ?? {};
    const steps = stages?.reduce((sum, stage) => sum + stage.steps, 0) ?? null;
    listed.push({ folder: run, state, step, steps, method, source, targets });
  }
  return listed;
}

/** Longer than several lines of a log. */
const END = 2 ** 16;

/** The step of the last whole line of a log; null where there is none. */
async function lastStep(path: string): Promise<number | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(END, size)), {
      position: Math.max(0, size - END),
    });
    const steps = [...buffer.toString("utf8", 0, bytesRead).matchAll(/^\{"step":(\d+),.*\n/gm)];
    return steps.length === 0 ? null : Number(steps.at(-1)![1]);
  } finally {
    await file.close();
  }
}
