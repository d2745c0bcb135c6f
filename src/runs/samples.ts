import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../platform/atomicFile.js";
import { makeFolder } from "../platform/files.js";
import { runFiles } from "./runFiles.js";

/** Moments of a training that sample predictions are kept of, however long it is. */
const MOST = 24;

/** Where the sample predictions after a step lie, from the run folder. */
export const sampleFile = (step: number): string => join(runFiles.samples, `step-${String(step).padStart(8, "0")}.jpg`);

/** Steps of which a run has sample predictions, in order. */
export async function sampleSteps(folder: string): Promise<number[]> {
  const names = await readdir(join(folder, runFiles.samples)).catch(() => [] as string[]);
  return names
    .map((name) => /^step-(\d{8,15})\.jpg$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Keep the sample predictions after a step. Where there are too many, one is removed such that those that stay are evenly spread. */
export async function writeSample(folder: string, step: number, jpeg: Uint8Array): Promise<void> {
  await makeFolder(join(folder, runFiles.samples));
  await writeAtomically(join(folder, sampleFile(step)), jpeg);
  const steps = await sampleSteps(folder);
  if (steps.length > MOST) await rm(join(folder, sampleFile(leastMissed(steps))), { force: true });
}

/** The step whose neighbours are nearest to each other, of equals the last; never the first or the last of all. */
function leastMissed(steps: readonly number[]): number {
  const gap = (i: number): number => steps[i + 1]! - steps[i - 1]!;
  let at = 1;
  for (let i = 2; i < steps.length - 1; i++) if (gap(i) <= gap(at)) at = i;
  return steps[at]!;
}
