import { UserError } from "../../platform/errors.js";
import type { Dataset } from "./dataset.js";

/** Names of the classes of a labelled data set. */
export function classesOf({ spec, labelling }: Dataset): string[] {
  if (labelling === null) {
    throw new UserError(`${spec} has no labels`, { hint: "labelled images are wanted here; docs/data.md" });
  }
  return labelling.classes.classes.map(({ name }) => name);
}
