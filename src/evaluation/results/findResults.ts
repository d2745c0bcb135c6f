import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../platform/errors.js";
import { type ResultFile, readResult } from "./resultFile.js";

/** A result file that was found and read. */
export interface FoundResult {
  readonly path: string;
  /** Name of the run folder it lies in. */
  readonly run: string;
  readonly result: ResultFile;
}

/**
 * The result files of a run folder, of a folder with `results` in it, or one file: only the JSON is read, so that hundreds take
 * no time. Sorted by path; none where there are none. A broken file is refused by name.
 */
export async function findResults(path: string): Promise<FoundResult[]> {
  const kind = await stat(path).catch((cause: unknown) => {
    throw new UserError(`there is no run folder or result file at ${path}`, { cause });
  });
  const files = kind.isDirectory() ? await jsonFiles(path) : path.endsWith(".json") ? [path] : [];
  return Promise.all(files.map(async (file) => ({ path: file, run: runOf(file), result: await readResult(file) })));
}

export const noResults = (path: string): UserError =>
  new UserError(`${path}: no results in it`, {
    hint: 'wanted results/<data set>/<method>.json, as "gssl evaluate" and "gssl score --to" write them',
  });

async function jsonFiles(folder: string): Promise<string[]> {
  const results = join(folder, "results");
  const root = (await exists(results)) ? results : folder;
  const names = await readdir(root, { withFileTypes: true });
  const here = names
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => join(root, name));
  // A run folder has files of its own beside `results`; only a folder of results may hold them directly.
  const direct = basename(dirname(resolve(root))) === "results" ? here : [];
  const below = await Promise.all(
    names
      .filter((entry) => root === results && entry.isDirectory() && !entry.name.endsWith(".examples"))
      .map(async ({ name }) =>
        (await readdir(join(root, name)))
          .filter((file) => file.endsWith(".json"))
          .map((file) => join(root, name, file)),
      ),
  );
  return [...direct, ...below.flat()].sort();
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** `runs/name/results/data/method.json` belongs to `name`. */
function runOf(file: string): string {
  const parts = resolve(file).split(/[\\/]/);
  const at = parts.lastIndexOf("results");
  return at > 0 && at === parts.length - 3 ? parts[at - 1]! : "";
}
