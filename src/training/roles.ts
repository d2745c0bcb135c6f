import type { Dataset } from "../data/datasets/dataset.js";
import { findLeaks, sharedImages } from "../data/datasets/leaks.js";
import { sameDomain } from "../data/datasets/sameDomain.js";
import { unlabelled } from "../data/datasets/spec.js";
import type { CheckedDataset } from "../data/open/openChecked.js";
import { UserError } from "../platform/errors.js";
import type { TrainConfig } from "../runs/config.js";
import { inspecting, refuse } from "./validatedData.js";

/**
 * What images are for: to train on, to choose on (settings, a temperature, γ), or to measure on. No image may have two of these roles
 * unless every table says so.
 */

/** What to do with images that a training has seen. */
export interface SeenOptions {
  /** Opens a data set of the training. */
  readonly open: (spec: string) => Promise<CheckedDataset>;
  /** Called where a target is no longer at hand, so that nothing can be said about it. */
  readonly onNote: (note: string) => void;
}

/** Images that are learned from, labels or not, must not be measured on. */
export async function refuseLeaks(trained: CheckedDataset, measured: CheckedDataset): Promise<void> {
  const specs = [trained, measured].map(({ dataset }) => dataset.spec);
  refuse(await findLeaks(trained, measured), `${specs.join(" and ")} share images:`, inspecting(...specs));
}

/** What images that a training has seen must not be for, in words, and what to do instead. */
const unseenRoles = {
  measure: ["which it is to be measured on", "measure on other images, or insist with --allow-seen"],
  choose: ["which settings are to be chosen on", "choose on other labelled images of the source: --source-val SPEC"],
} as const;

/** Refuse to measure a run, or to choose its settings, on images that it was trained on, source or target. */
export async function refuseSeen(
  config: TrainConfig,
  images: readonly CheckedDataset[],
  { role = "measure", ...seen }: SeenOptions & { readonly role?: keyof typeof unseenRoles },
): Promise<void> {
  const [which, hint] = unseenRoles[role];
  for (const trained of await trainedOn(config, seen)) {
    for (const one of images) {
      const what = `training has seen images of ${one.dataset.spec}, ${which}:`;
      refuse(await findLeaks(trained, one), what, hint);
    }
  }
}

/** Refuse to choose on images that are measured on, too. */
export async function refuseChosenOn(chosen: CheckedDataset, measured: readonly CheckedDataset[]): Promise<void> {
  for (const test of measured) {
    const what = `settings would be chosen on images of ${test.dataset.spec}, which is measured on:`;
    const hint =
      "choose on other images of the source (--source-val), or --select fixed for usual settings, or --select best-on-test, which tables say";
    refuse(await findLeaks(chosen, test), what, hint);
  }
}

/** Of the data sets that are measured on, those that share images with the one that is chosen on. */
export async function sharing(chosen: CheckedDataset, measured: readonly CheckedDataset[]): Promise<Set<Dataset>> {
  const found = new Set<Dataset>();
  for (const test of measured) if ((await findLeaks(chosen, test)).length > 0) found.add(test.dataset);
  return found;
}

/** The data sets of a run's training; those that are no longer at hand are reported. */
async function trainedOn(config: TrainConfig, { open, onNote }: SeenOptions): Promise<CheckedDataset[]> {
  const trained = [await open(config.source)];
  for (const target of config.method === "gamma-ssl" ? config.targets.map(unlabelled) : []) {
    try {
      trained.push(await open(target));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      onNote(`cannot tell which images ${target} has, which was trained on: ${error.message}`);
    }
  }
  return trained;
}

/** Which of some images a training has seen, in sentences; none where it has seen none of them. */
export async function seenRemarks(config: TrainConfig, images: CheckedDataset, seen: SeenOptions): Promise<string[]> {
  const all = images.dataset.items.length;
  const remarks: string[] = [];
  for (const [i, trained] of (await trainedOn(config, seen)).entries()) {
    const shared = sharedImages(trained, images).length;
    const role = i === 0 ? "labelled" : "unlabelled";
    if (shared > 0)
      remarks.push(`the run was trained on ${shared} of these ${all} images (${role}: ${trained.dataset.spec})`);
  }
  return remarks;
}

/** What a reader must know of numbers of an adapted run that are of the source: adaptation is for another place. */
export function placeRemarks(config: TrainConfig, measured: string): string[] {
  if (config.method !== "gamma-ssl" || config.options.training.adaptation === 0) return [];
  const isTarget = config.targets.some((target) => sameDomain(target, measured));
  if (isTarget || !sameDomain(config.source, measured)) return [];
  return [
    "these are images of the source, not of the place that the run was adapted to: they do not show what adaptation gains",
  ];
}
