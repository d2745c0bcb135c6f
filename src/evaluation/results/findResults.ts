import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../platform/errors.js";
import { type ResultFile, readResult } from "./resultFile.js";
import { WeightsNow } from "./weightsNow.js";

/** A result file that was found and read. */
export interface FoundResult {
  readonly path: string;
  /** Name of the run folder it lies in. */
  readonly run: string;
  readonly result: ResultFile;
}

/**
 * The result files of a run folder, of a folder with `results` in it, or one file: of the JSON alone, so that hundreds take no time.
 * Sorted by path; none where there are none. A broken file is refused by name.
 *
 * Only those of the weights that the run has now: a run that was trained again, or for longer, is another model. What is left out is
 * told to `onNote`. `weights`: the fingerprint to take for those the run ended with, where others than its last are looked at.
 */
export async function findResults(
  path: string,
  onNote: (message: string) => void,
  weights?: string,
): Promise<FoundResult[]> {
  const kind = await stat(path).catch((cause: unknown) => {
    throw new UserError(`there is no run folder or result file at ${path}`, { cause });
  });
  const files = kind.isDirectory() ? await jsonFiles(path) : path.endsWith(".json") ? [path] : [];
  const now = new WeightsNow(weights);
  const found: FoundResult[] = [];
  for (const file of files) {
    const result = await readResult(file);
    // RUN/results/<data set>/<method>.json
    if (await now.has(resolve(file, "../../.."), result)) found.push({ path: file, run: runOf(file), result });
  }
  const others = files.length - found.length;
  if (others > 0) {
    const which = others === 1 ? "1 result is left out: it is" : `${others} results are left out: they are`;
    onNote(
      `${path}: ${which} of other weights than ${weights === undefined ? "it has now" : "these"}; gssl evaluate measures again`,
    );
  }
  return found;
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
