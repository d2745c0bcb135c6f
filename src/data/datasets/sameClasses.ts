import { UserError } from "../../platform/errors.js";
import { classesOf } from "./classesOf.js";
import type { Dataset } from "./dataset.js";

/**
 * Refuse a data set whose classes are called differently than wanted, or stand in another order: by number, they would all be
 * counted as mistakes. `whose` names what has the wanted classes.
 */
export function requireSameClasses(dataset: Dataset, wanted: readonly string[], whose: string): void {
  const found = classesOf(dataset);
  if (found.join("\n") === wanted.join("\n")) return;
  const odd = found.filter((name) => !wanted.includes(name)).slice(0, 3);
  const why =
    found.length !== wanted.length
      ? `it has ${found.length}, wanted ${wanted.length}`
      : odd.length > 0
        ? `it has ${odd.join(", ")}, which is none of them`
        : `they stand in another order (${found.slice(0, 3).join(", ")} …, wanted ${wanted.slice(0, 3).join(", ")} …)`;
  throw new UserError(`${dataset.spec} does not have the classes of ${whose}: ${why}`, {
    hint: "choose labels of the classes the network was trained on, with ?classes=",
  });
}
