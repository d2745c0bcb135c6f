import { classesOf } from "../../data/datasets/classesOf.js";
import type { CheckedDataset } from "../../data/datasets/openChecked.js";
import { requireSameClasses } from "../../data/datasets/sameClasses.js";
import { cacheFolder } from "../../platform/cacheFolder.js";
import { type Computing, cancellable, type Watching } from "../../platform/watching.js";
import type { GammaConfig } from "../../runs/config.js";
import { openValidated, refuseSeen } from "../../training/validatedData.js";
import { type ReproductionPlan, testedOf } from "./plan.js";

/**
 * Look at all images of a plan before the first of many trainings: each readable, with the classes of the source, and none of a test
 * among those that are trained on. Returns what the tests call themselves, by the name of their domain.
 */
export async function checkPlan(
  plan: ReproductionPlan,
  base: GammaConfig,
  { cache = cacheFolder(), onNote = () => {}, ...watching }: Pick<Computing, "cache"> & Watching,
): Promise<Map<string, string>> {
  const { settings, sourceVal, domains, further } = plan;
  const onProgress = cancellable(watching);
  const open = (spec: string): Promise<CheckedDataset> =>
    openValidated(spec, { cache, onProgress: (what, done, total) => onProgress(`${what} ${spec}`, done, total) });
  const source = await open(settings.source);
  const specs = new Map<string, string>();
  const measured = sourceVal === undefined ? [] : [await open(sourceVal)];
  for (const { name, test } of testedOf(plan)) {
    const checked = await open(test);
    specs.set(name, checked.dataset.spec);
    measured.push(checked);
  }
  for (const { dataset } of measured) requireSameClasses(dataset, classesOf(source.dataset), source.dataset.spec);
  await refuseSeen({ ...base, targets: [...domains, ...further].map(({ train }) => train) }, measured, {
    open,
    onNote,
  });
  return specs;
}
