import { readFile } from "node:fs/promises";
import { readSketchSet } from "../../metrics/sketchBytes.js";
import type { SketchSet } from "../../metrics/sketchSet.js";
import { UserError } from "../../platform/errors.js";
import { readExample, type StoredExample } from "./examples.js";
import { type FoundResult, findResults } from "./findResults.js";

/** A result file with everything beside it. */
export interface OpenedResult extends FoundResult {
  readonly set: SketchSet;
  readonly examples: readonly StoredExample[];
}

/** Read everything back: result files, sketches and example images. What is broken or does not belong together is refused. */
export async function openResults(runFolder: string): Promise<OpenedResult[]> {
  const opened: OpenedResult[] = [];
  for (const found of await findResults(runFolder)) opened.push(await openResult(found));
  return opened;
}

export async function openResult(found: FoundResult): Promise<OpenedResult> {
  const { path, result } = found;
  const stem = path.replace(/\.json$/, "");
  const sketchPath = `${stem}.sketch`;
  const bytes = await readFile(sketchPath).catch((cause: unknown) => {
    throw new UserError(`${sketchPath} is missing beside ${path}`, { hint: "evaluate again to write it anew", cause });
  });
  const set = readSketchSet(bytes, sketchPath);
  const pixels = set.total.rights + set.total.wrongs;
  for (const [name, inSketch, inResult] of [
    ["pixels", pixels, result.pixels],
    ["images", set.images.length, result.images],
    ["skipped images", set.skipped.length, result.skipped],
  ] as const) {
    if (inSketch !== inResult) {
      throw new UserError(`${sketchPath} has ${inSketch} ${name}, but ${path} says ${inResult}`, {
        hint: "they do not belong together; evaluate again",
      });
    }
  }
  const examples: StoredExample[] = [];
  for (const entry of result.examples) examples.push(await readExample(`${stem}.examples`, entry));
  return { ...found, set, examples };
}
