import { sameDomain } from "../../data/datasets/sameDomain.js";
import { UserError } from "../../platform/errors.js";
import { configOf } from "./studiedResults.js";

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
