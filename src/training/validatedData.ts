import { changedSince } from "../data/datasets/checkDataset.js";
import { findLeaks } from "../data/datasets/leaks.js";
import { type CheckedDataset, type OpenCheckedOptions, openChecked } from "../data/datasets/openChecked.js";
import type { Problem } from "../data/datasets/problem.js";
import { unlabelled } from "../data/datasets/spec.js";
import { UserError } from "../platform/errors.js";
import type { TrainConfig } from "../runs/config.js";

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

/** Images that are learned from, labels or not, must not be measured on. */
export async function refuseLeaks(trained: CheckedDataset, measured: CheckedDataset): Promise<void> {
  const specs = [trained, measured].map(({ dataset }) => dataset.spec);
  refuse(await findLeaks(trained, measured), `${specs.join(" and ")} share images:`, inspecting(...specs));
}

/** What to do with images that a training has seen. */
export interface SeenOptions {
  /** Opens a data set of the training. */
  readonly open: (spec: string) => Promise<CheckedDataset>;
  /** Called where a target is no longer at hand, so that nothing can be said about it. */
  readonly onNote: (note: string) => void;
}

/** Refuse to measure a run on images that it was trained on, source or target, unless somebody insists. */
export async function refuseSeen(
  config: TrainConfig,
  measured: readonly CheckedDataset[],
  { open, onNote }: SeenOptions,
): Promise<void> {
  const trained = [await open(config.source)];
  for (const target of config.method === "gamma-ssl" ? config.targets.map(unlabelled) : []) {
    try {
      trained.push(await open(target));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      onNote(`cannot tell whether ${target}, which was trained on, has images of the test: ${error.message}`);
    }
  }
  for (const [one, other] of trained.flatMap((seen) => measured.map((test) => [seen, test] as const))) {
    const what = `training has seen images of ${other.dataset.spec}, which it is to be measured on:`;
    const hint = "measure on other images, or insist with --allow-seen";
    refuse(await findLeaks(one, other), what, hint);
  }
}

/** Classes that no image shows, in a sentence; null when there is none. They cost nothing, but nobody should wait for them. */
export function unseenClasses({ dataset, check }: CheckedDataset): string | null {
  const names = check.classes.filter(({ pixels }) => pixels === 0).map(({ name }) => `"${name}"`);
  if (names.length === 0) return null;
  const [which, them] = names.length === 1 ? ["class", "it"] : ["classes", "them"];
  return `${which} ${names.join(", ")} never occur${names.length === 1 ? "s" : ""} in ${dataset.spec}: nothing can be learned about ${them}`;
}

const inspecting = (...specs: readonly string[]): string =>
  `see all of it with: gssl inspect ${specs.map((spec) => `'${spec}'`).join(" ")}`;

function refuse(problems: readonly Problem[], what: string, hint: string): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const lines = errors
    .slice(0, SPELLED_OUT)
    .map(({ code, message, hint }) => `${code}: ${message}${hint === undefined ? "" : ` (${hint})`}`);
  const more = errors.length > SPELLED_OUT ? [`and ${errors.length - SPELLED_OUT} more`] : [];
  throw new UserError([what, ...lines, ...more].join("\n  "), { hint });
}
