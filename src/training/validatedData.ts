import { changedSince } from "../data/datasets/checkDataset.js";
import { findLeaks } from "../data/datasets/leaks.js";
import { type CheckedDataset, type OpenCheckedOptions, openChecked } from "../data/datasets/openChecked.js";
import type { Problem } from "../data/datasets/problem.js";
import { UserError } from "../platform/errors.js";

/** Problems that are spelled out in a refusal; `gssl inspect` lists them all. */
const SPELLED_OUT = 5;

/** Open a data set and look at every image and label in it. One with an error is refused: nothing may fail after step 0. */
export async function openValidated(spec: string, options: OpenCheckedOptions): Promise<CheckedDataset> {
  const checked = await openChecked(spec, options);
  refuse(checked.check.problems, `${checked.dataset.spec} cannot be used:`, spec);
  return checked;
}

/** Files that were written to since they were looked at may hold anything by now. */
export async function refuseChanges({ dataset, check }: CheckedDataset): Promise<void> {
  refuse(await changedSince(check), `${dataset.spec} is being changed:`, dataset.spec);
}

/** Images that are learned from, labels or not, must not be measured on. */
export async function refuseLeaks(trained: CheckedDataset, measured: CheckedDataset): Promise<void> {
  const specs = [trained, measured].map(({ dataset }) => dataset.spec);
  refuse(await findLeaks(trained, measured), `${specs.join(" and ")} share images:`, ...specs);
}

/** Classes that no image shows, in a sentence; null when there is none. They cost nothing, but nobody should wait for them. */
export function unseenClasses({ dataset, check }: CheckedDataset): string | null {
  const names = check.classes.filter(({ pixels }) => pixels === 0).map(({ name }) => `"${name}"`);
  if (names.length === 0) return null;
  const [which, they] = names.length === 1 ? ["class", "it has"] : ["classes", "they have"];
  return `${which} ${names.join(", ")} never occur${names.length === 1 ? "s" : ""} in ${dataset.spec}: ${they} no prototype, and will not be answered`;
}

function refuse(problems: readonly Problem[], what: string, ...specs: readonly string[]): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const lines = errors
    .slice(0, SPELLED_OUT)
    .map(({ code, message, hint }) => `${code}: ${message}${hint === undefined ? "" : ` (${hint})`}`);
  const more = errors.length > SPELLED_OUT ? [`and ${errors.length - SPELLED_OUT} more`] : [];
  throw new UserError([what, ...lines, ...more].join("\n  "), {
    hint: `see all of it with: gssl inspect ${specs.map((spec) => `'${spec}'`).join(" ")}`,
  });
}
