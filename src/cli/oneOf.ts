import { UserError } from "../platform/errors.js";

/** One of the names that an option knows. */
export function oneOf<Name extends string>(option: string, names: readonly Name[], given: string): Name {
  const found = names.find((name) => name === given);
  if (found === undefined) throw new UserError(`--${option} is "${given}"`, { hint: `known: ${names.join(", ")}` });
  return found;
}
