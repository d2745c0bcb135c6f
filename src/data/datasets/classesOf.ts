import { UserError } from "../../platform/errors.js";
import type { Dataset } from "./dataset.js";

/** Names of the classes of a labelled data set. */
export function classesOf({ spec, labelling }: Dataset): string[] {
  if (labelling === null) {
    throw new UserError(`${spec} has no labels to learn from`, { hint: "the source of a training must be labelled" });
  }
  return labelling.classes.classes.map(({ name }) => name);
}
