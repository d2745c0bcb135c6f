import { sameDomain } from "../../data/datasets/sameDomain.js";
import { formatSpec, specOf } from "../../data/datasets/spec.js";
import { UserError } from "../../platform/errors.js";
import { knownHint } from "../../platform/nearest.js";
import { configOf } from "./studiedResults.js";

/** Names of data sets for tables: reader and path, and of the options those that tell them apart. */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const specs = names.map(specOf);
  const short = names.map((name, i) => {
    const spec = specs[i]!;
    if (spec === null) return name;
    const alike = specs.filter((other) => other?.reader === spec.reader && other.path === spec.path);
    const told = [...spec.options].filter(([key, value]) => alike.some((other) => other!.options.get(key) !== value));
    return formatSpec({ ...spec, options: new Map(told) });
  });
  const distinct = new Set(short).size === new Set(names).size;
  return new Map(names.map((name, i) => [name, distinct ? short[i]! : name]));
}

/** The data set that is called so, or the only one whose name has this in it. */
export function datasetCalled(given: string, names: readonly string[]): string {
  if (names.includes(given)) return given;
  const holding = names.filter((name) => name.includes(given));
  if (holding.length === 1) return holding[0]!;
  const [what, hint] =
    holding.length === 0
      ? [`there are no results on "${given}"`, knownHint(given, names)]
      : [
          `"${given}" is in the names of ${holding.length} data sets`,
          `write more of one of them: ${holding.join(", ")}`,
        ];
  throw new UserError(what, { hint, code: "unknown-name" });
}

/** The (last) target of a run's training; null where it has none, or where there was no training. */
export async function lastTarget(folder: string): Promise<string | null> {
  const config = await configOf(folder);
  return config?.method === "gamma-ssl" ? config.targets.at(-1)! : null;
}

/** Of the data sets, the one in the domain that a run was adapted to. */
export async function ownDomain(folder: string, datasets: readonly string[]): Promise<string> {
  const target = await lastTarget(folder);
  const own = target === null ? [] : datasets.filter((dataset) => sameDomain(target, dataset));
  if (own.length === 1) return own[0]!;
  const why =
    target === null
      ? "it was adapted to no target"
      : `its last target is ${target}, which ${own.length === 0 ? "none" : `${own.length}`} of its data sets ${own.length > 1 ? "match" : "matches"}`;
  throw new UserError(`${folder}: cannot tell its own domain: ${why}`, {
    hint: `name it: --own, one of ${datasets.join(", ")}`,
  });
}
