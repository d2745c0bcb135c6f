import { checkRoles } from "../../evaluation/checkRoles.js";
import type { Computing, Watching } from "../../platform/watching.js";
import type { GammaConfig } from "../../runs/config.js";
import { type ReproductionPlan, testedOf } from "./plan.js";

/** Look at all images of a plan before the first of many trainings. Returns what the tests call themselves, by the name of their domain. */
export async function checkPlan(
  plan: ReproductionPlan,
  base: GammaConfig,
  options: Pick<Computing, "cache"> & Watching,
): Promise<Map<string, string>> {
  const { sourceVal, domains, further } = plan;
  const config = { ...base, targets: [...domains, ...further].map(({ train }) => train) };
  const tests = testedOf(plan);
  const specs = await checkRoles({ config, on: tests.map(({ test }) => test), sourceVal }, options);
  return new Map(tests.map(({ name }, i) => [name, specs[i]!]));
}
