import { UserError } from "../../platform/errors.js";
import { knownHint } from "../../platform/nearest.js";
import { printable } from "../../platform/printable.js";
import { byId, type Dataset, type Item } from "../datasets/dataset.js";
import type { Problem } from "../datasets/problem.js";
import { type OpenOptions, Options, type Reader } from "../datasets/reader.js";
import { bdd } from "../datasets/readers/bdd.js";
import { camvid } from "../datasets/readers/camvid.js";
import { cityscapes } from "../datasets/readers/cityscapes.js";
import { comma10k } from "../datasets/readers/comma10k.js";
import { folder } from "../datasets/readers/folder.js";
import { kitti } from "../datasets/readers/kitti.js";
import { manifest } from "../datasets/readers/manifest.js";
import { mcap } from "../datasets/readers/mcap.js";
import { sax } from "../datasets/readers/sax.js";
import { scenes } from "../datasets/readers/scenes.js";
import { wilddash } from "../datasets/readers/wilddash.js";
import { formatSpec, parseSpec } from "../datasets/spec.js";

const table: Record<string, Reader> = Object.fromEntries(
  [cityscapes, bdd, kitti, wilddash, sax, camvid, comma10k, folder, manifest, mcap, scenes].map((reader) => [
    reader.name,
    reader,
  ]),
);

/** Every reader there is. Names in specs, hints and docs come from here. */
export const readers: Readonly<Record<string, Reader>> = table;

/** Add a reader of a user's. */
export function addReader(reader: Reader): void {
  if (Object.hasOwn(table, reader.name)) {
    throw new UserError(`there is a reader "${printable(reader.name)}" already`, { hint: "choose another name" });
  }
  table[reader.name] = reader;
}

/** Options that every reader takes. */
export const genericOptions: Readonly<Record<string, string>> = {
  every: "keep images 0, n, 2n … of the sorted list",
  except: "keep the images that every=n leaves out",
  limit: "keep the first n images, after every and except",
  unlabelled: "true: no label map is opened, even if there is one",
};

/**
 * Find a data set on disk: `reader:path?key=value`. Everything is found now, so that a missing folder fails in the first
 * second and not in the third hour. Nothing is decoded; `checkDataset` does that.
 */
export async function openDataset(text: string, context: OpenOptions = {}): Promise<Dataset> {
  const spec = parseSpec(text);
  const reader = Object.hasOwn(readers, spec.reader) ? readers[spec.reader] : undefined;
  if (reader === undefined) {
    throw new UserError(`there is no reader "${printable(spec.reader)}" for "${printable(text)}"`, {
      hint: `${knownHint(spec.reader, Object.keys(readers))}; one of your own comes with --plugin`,
    });
  }
  const options = readOptions(reader, spec.options);
  const found = await reader.open(spec.path, options, context);
  const items = selected([...found.items].sort(byId), options);
  const blind = options.has("unlabelled") && options.choice("unlabelled", ["true", "false"], "true") === "true";
  const unlabelled = blind || found.labelling === null;
  if (items.length === 0) {
    const why = found.problems.find(({ severity }) => severity === "error")?.message;
    throw new UserError(`"${printable(text)}" holds no images`, {
      hint:
        why ??
        `${found.items.length} were there before every, except and limit; ${reader.name} takes ${optionNames(reader).join(", ")}`,
    });
  }
  const kept = (await found.prepare?.(items)) ?? items;
  return {
    spec: formatSpec({ ...spec, options: options.resolved }),
    items: unlabelled ? kept.map((item) => ({ ...item, labels: null })) : kept,
    labelling: unlabelled ? null : found.labelling,
    problems: relevant(found.problems, kept, unlabelled),
  };
}

/** Names of the options that a reader takes. */
const optionNames = (reader: Reader): string[] => [...Object.keys(reader.options), ...Object.keys(genericOptions)];

/** The options of a spec, all of them known to its reader. */
export function readOptions(reader: Reader, given: ReadonlyMap<string, string>): Options {
  const known = optionNames(reader);
  for (const key of given.keys()) {
    if (!known.includes(key)) {
      throw new UserError(`${reader.name} has no option "${printable(key)}"`, { hint: knownHint(key, known) });
    }
  }
  return new Options(reader.name, given);
}

/** Without problems of labels that are not opened, and of images that are not kept. */
function relevant(problems: readonly Problem[], items: readonly Item[], unlabelled: boolean): Problem[] {
  const kept = new Set(items.flatMap(({ image, labels }) => (unlabelled ? [image] : [image, labels])));
  return problems.filter(({ code, file }) =>
    code === "stem-twice" ? kept.has(file) : !(unlabelled && code === "label-orphan"),
  );
}

/** What `every`, `except` and `limit` keep of a sorted list. */
export function selected<Kept>(items: readonly Kept[], options: Options): Kept[] {
  const every = options.count("every");
  const except = options.count("except");
  if (every !== undefined && except !== undefined) {
    throw new UserError("every and except cannot be given together", { hint: "they are each other's opposite" });
  }
  const kept = items.filter((_, index) =>
    every !== undefined ? index % every === 0 : except === undefined || index % except !== 0,
  );
  return kept.slice(0, options.count("limit"));
}
