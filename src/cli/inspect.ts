import { join } from "node:path";
import type { DatasetCheck } from "../data/datasets/checkDataset.js";
import { contactSheet } from "../data/datasets/contactSheet.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { describeCheck, describeProblems } from "../data/datasets/describeCheck.js";
import { findLeaks } from "../data/datasets/leaks.js";
import { openChecked } from "../data/datasets/openChecked.js";
import type { Problem } from "../data/datasets/problem.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { makeFolder } from "../platform/files.js";
import { print, printJson } from "../platform/print.js";
import { screenOn } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

interface InspectOptions {
  readonly to: string;
  readonly sheet: string;
  readonly cache?: string;
  readonly json?: true;
}

/** Check data sets, say what is in them and what is wrong, and write a page to look at them with. */
export async function inspect(specs: readonly string[], options: InspectOptions): Promise<void> {
  const images = wholeNumber("sheet", options.sheet, [0, 1000]);
  const cache = options.cache ?? cacheFolder();
  const say = options.json ? () => {} : print;
  const screen = screenOn(process.stderr);
  const onProgress = (what: string, done: number, total: number): void =>
    screen.passing(done === total ? "" : `${what} ${done}/${total}`);
  const sets: { dataset: Dataset; check: DatasetCheck }[] = [];
  for (const spec of specs) {
    const { dataset, check } = await openChecked(spec, { cache, onProgress });
    sets.push({ dataset, check });
    for (const line of describeCheck(check, dataset.labelling?.classes.name)) say(line);
    say("");
  }
  const leaks = await leaksBetween(sets);
  if (leaks.length > 0) for (const line of ["leaks between the data sets:", ...describeProblems(leaks)]) say(line);
  else if (sets.length > 1) say("no image is in two of the data sets");

  const page = join(options.to, "contact-sheet.html");
  if (images > 0) {
    await makeFolder(options.to);
    await writeAtomically(page, await contactSheet(sets, leaks, { images }));
    say(`contact sheet: ${page}`);
  }
  if (options.json) {
    const datasets = sets.map(({ check: { hashes: _, stamps: __, ...check } }) => check);
    printJson({ datasets, leaks, contactSheet: images > 0 ? page : null }, 1);
  }
  const problems = [...leaks, ...sets.flatMap(({ check }) => check.problems)];
  if (problems.some(({ severity }) => severity === "error")) process.exitCode = 1;
}

async function leaksBetween(sets: readonly { dataset: Dataset; check: DatasetCheck }[]): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const [i, a] of sets.entries()) {
    for (const b of sets.slice(i + 1)) found.push(...(await findLeaks(a, b)));
  }
  return found;
}
