import { basename, dirname, join } from "node:path";
import { readSketchSet } from "../../metrics/sketchBytes.js";
import type { SketchSet } from "../../metrics/sketchSet.js";
import { UserError } from "../../platform/errors.js";
import { readRegularFile } from "../../platform/files.js";
import { damaged, sha256 } from "../../platform/seal.js";
import { readExample, type StoredExample } from "./examples.js";
import { type FoundResult, findResults, noResults } from "./findResults.js";

/** A result file with everything beside it. */
export interface OpenedResult extends FoundResult {
  readonly set: SketchSet;
  readonly examples: readonly StoredExample[];
}

/** Read everything back that `findResults` finds: result files, sketches and example images. What is broken or does not belong together is refused. */
export async function openResults(runFolder: string, onNote: (message: string) => void): Promise<OpenedResult[]> {
  const opened: OpenedResult[] = [];
  const results = await findResults(runFolder, onNote);
  if (results.length === 0) throw noResults(runFolder);
  for (const found of results) opened.push(await openResult(found));
  return opened;
}

async function openResult(found: FoundResult): Promise<OpenedResult> {
  const { path, result } = found;
  const set = await openSketch(found);
  await checkFiles(found);
  const examples: StoredExample[] = [];
  for (const entry of result.examples) examples.push(await readExample(`${stemOf(path)}.examples`, entry));
  return { ...found, set, examples };
}

/** The sketches beside a result file. What is missing, damaged or belongs to another result is refused. */
export async function openSketch({ path, result }: FoundResult): Promise<SketchSet> {
  const sketchPath = `${stemOf(path)}.sketch`;
  const bytes = await readRegularFile(sketchPath).catch((cause: unknown) => {
    throw new UserError(`${sketchPath} is missing beside ${path}`, { hint: "evaluate again to write it anew", cause });
  });
  const seal = result.files?.[basename(sketchPath)];
  if (seal !== undefined && sha256(bytes) !== seal) throw damaged(sketchPath, "evaluate again to write it anew");
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
  return set;
}

const stemOf = (path: string): string => path.replace(/\.json$/, "");

/** Refuse a result one of whose files is not as it was written. Those from before there were seals are taken as they are. */
export async function checkFiles({
  path,
  result: { files = {} },
}: Pick<FoundResult, "path" | "result">): Promise<void> {
  const stem = stemOf(path);
  for (const [name, hash] of Object.entries(files)) {
    const beside = name === `${basename(stem)}.sketch` || name === `${basename(stem)}.csv`;
    const file = join(beside ? dirname(stem) : `${stem}.examples`, name);
    if (sha256(await readRegularFile(file)) !== hash) throw damaged(file, "evaluate again to write it anew");
  }
}
