import { UserError } from "../../platform/errors.js";
import { configOf } from "./configOf.js";
import { specOf } from "./datasetNames.js";

/** Options of specs that choose images, sizes or labels within a domain; any other tells domains apart. */
const withinDomain: ReadonlySet<string> = new Set([
  ...["split", "set", "every", "except", "limit", "count", "seed"],
  ...["height", "width", "unlabelled", "labels", "label-suffix", "classes"],
]);

/** Whether two specs are of one domain: the same reader, path and options, apart from those that choose within a domain. */
export function sameDomain(one: string, other: string): boolean {
  const [a, b] = [domainOf(one), domainOf(other)];
  return a !== null && a === b;
}

function domainOf(name: string): string | null {
  const spec = specOf(name);
  if (spec === null) return null;
  const options = [...spec.options].filter(([key]) => !withinDomain.has(key)).sort();
  return JSON.stringify([spec.reader, spec.path.replace(/(?<=.)\/+$/, ""), options]);
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
