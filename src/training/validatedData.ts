import { changedSince } from "../data/datasets/checkDataset.js";
import type { Problem } from "../data/datasets/problem.js";
import { type CheckedDataset, type OpenCheckedOptions, openChecked } from "../data/open/openChecked.js";
import { UserError } from "../platform/errors.js";

/** Problems that are spelled out in a refusal; `gssl inspect` lists them all. */
const SPELLED_OUT = 5;

/** Open a data set and look at every image and label in it. One with an error is refused: nothing may fail after step 0. */
export async function openValidated(spec: string, options: OpenCheckedOptions): Promise<CheckedDataset> {
  const checked = await openChecked(spec, options);
  refuse(checked.check.problems, `${checked.dataset.spec} cannot be used:`, inspecting(spec));
  return checked;
}

/** Files that were written to since they were looked at may hold anything by now. */
export async function refuseChanges({ dataset, check }: CheckedDataset): Promise<void> {
  refuse(await changedSince(check), `${dataset.spec} is being changed:`, inspecting(dataset.spec));
}

/** Classes that no image shows, in a sentence; null when there is none. They cost nothing, but are never learned. */
export function unseenClasses({ dataset, check }: CheckedDataset): string | null {
  const names = check.classes.filter(({ pixels }) => pixels === 0).map(({ name }) => `"${name}"`);
  if (names.length === 0) return null;
  const [which, them] = names.length === 1 ? ["class", "it"] : ["classes", "them"];
  return `${which} ${names.join(", ")} never occur${names.length === 1 ? "s" : ""} in ${dataset.spec}: nothing can be learned about ${them}`;
}

/** The command that shows all problems. */
export const inspecting = (...specs: readonly string[]): string =>
  `see all of it with: gssl inspect ${specs.map((spec) => `'${spec}'`).join(" ")}`;

/** Refuse what has errors, with the first of them. */
export function refuse(problems: readonly Problem[], what: string, hint: string): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const lines = errors
    .slice(0, SPELLED_OUT)
    .map(({ code, message, hint }) => `${code}: ${message}${hint === undefined ? "" : ` (${hint})`}`);
  const more = errors.length > SPELLED_OUT ? [`and ${errors.length - SPELLED_OUT} more`] : [];
  throw new UserError([what, ...lines, ...more].join("\n  "), { hint });
}
