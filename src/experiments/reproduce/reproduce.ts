import { join } from "node:path";
import { askedMethods } from "../../evaluation/askedMethods.js";
import { baselineRuns } from "../../evaluation/baselineRuns.js";
import { checkRoles } from "../../evaluation/checkRoles.js";
import { type EvaluateOptions, evaluate } from "../../evaluation/evaluate.js";
import { usualBaselines } from "../../methods/parts/baselineOptions.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { type Computing, eachOnce, type Watching } from "../../platform/watching.js";
import type { GammaConfig } from "../../runs/config.js";
import { totalSteps } from "../../runs/extended.js";
import { train } from "../../training/train.js";
import { bench } from "../bench.js";
import { OURS, ReproducedResults } from "./lines.js";
import { type ReproductionPlan, testedOf } from "./plan.js";
import { type PaperPart, type PlannedRun, plannedRuns, runNames } from "./plannedRuns.js";
import { paperSection, sectionsOf } from "./sectionsOf.js";
import { pageFolders, writePage } from "./writePage.js";

/** Where and how much of the paper is run. */
export interface ReproduceOptions
  extends Pick<EvaluateOptions, "threads" | "cache" | "command" | "onProgress" | "onNote" | "onTraining" | "signal"> {
  /** Folder of all runs, tables and figures. */
  readonly to: string;
  /** Parts to leave out; none when left out. */
  readonly skip?: readonly PaperPart[] | undefined;
}

/** A reproduction that is done. */
export interface Reproduction {
  /** The page with all tables and figures. */
  readonly page: string;
  /** Times on this machine (Table 12), which differ from run to run; null where they were left out. */
  readonly timing: string | null;
}

/** What would be trained, in order; a baseline's networks are those of the source. */
export interface ReproductionOutline {
  readonly trainings: readonly { readonly name: string; readonly steps: number }[];
}

const PACE = { workers: 1, checkpointEvery: 500, validateEvery: 1_000_000 } as const;

/** Every training of a plan, without running any. */
export function outlineReproduction(
  plan: ReproductionPlan,
  { to, skip = [] }: Pick<ReproduceOptions, "to" | "skip">,
): ReproductionOutline {
  const runs = plannedRuns(plan, join(to, "runs"), skip);
  const [source] = runs;
  const networks = baselineRuns(source!.config, askedMethods([source!.config], plan.methods), usualBaselines);
  return {
    trainings: [
      ...runs.map(({ name, config }) => ({ name, steps: totalSteps(config) })),
      ...networks.map(({ name, config }) => ({ name: `${runNames.source}/baselines/${name}`, steps: config.steps })),
    ],
  };
}

/**
 * Every table and figure of the paper on the images of a plan: pre-training, γ-SSL in each domain, its curriculum, all baselines,
 * ablations and studies. A call that was interrupted continues where it was. The same plan gives the same page, byte for byte.
 */
export async function reproduce(plan: ReproductionPlan, options: ReproduceOptions): Promise<Reproduction> {
  const { to, skip = [], onTraining, ...shared } = options;
  const folder = join(to, "runs");
  const runs = plannedRuns(plan, folder, skip);
  const specs = await checkPlan(plan, runs[0]!.config, options);
  for (const { name, config } of runs) {
    const { threads, cache, command, signal } = shared;
    const where = { to: join(folder, name), ...PACE, threads, cache, command, signal };
    await train(config, { ...where, onEvent: (event) => onTraining?.(name, event) });
  }
  const onNote = eachOnce(options.onNote);
  for (const run of runs) await measure(run, { plan, folder, options: { ...options, onNote } });
  const names = runs.map(({ name }) => name);
  const measured = await ReproducedResults.read(folder, names, {
    domains: new Map([...specs].map(([name, spec]) => [spec, name])),
    onNote,
  });
  const sections = [
    ...(await sectionsOf(plan, measured, { to, folder, skip, specs })),
    ...(await paperSection(runs, measured, { folder, to: join(to, pageFolders.tables) })),
  ];
  const { settings, domains } = plan;
  const page = await writePage(to, sections, {
    title: "The paper's tables and figures",
    facts: [
      `source: ${settings.source}`,
      ...testedOf(plan).map(({ name, test }) => `${name}: ${test}`),
      ...budget(runs),
    ],
  });
  if (skip.includes("timing")) return { page, timing: null };
  const { timings } = await bench(join(folder, runNames.adapted(domains[0]!.name)), shared);
  const timing = join(to, pageFolders.tables, "table-12-timing.json");
  await writeAtomically(timing, `${JSON.stringify(timings, null, 1)}\n`);
  return { page, timing };
}

async function measure(
  run: PlannedRun,
  { plan, folder, options }: { plan: ReproductionPlan; folder: string; options: ReproduceOptions },
): Promise<void> {
  const { to: _, skip: __, ...shared } = options;
  const tests = testedOf(plan).filter(({ name }) => run.tests.includes(name));
  const methods = run.name === runNames.source ? plan.methods : OURS;
  const on = tests.map(({ test }) => test);
  await evaluate([join(folder, run.name)], { ...shared, on, methods, sourceVal: plan.sourceVal, examples: 0 });
}

/** How long and how large trainings are. */
function budget([source, adapted]: readonly PlannedRun[]): string[] {
  const { view, seed, options } = source!.config;
  const steps = [source!, adapted!].map(({ config }) => totalSteps(config));
  return [
    `images of height ${view.height}, crops of ${view.crop.join(" x ")}`,
    `network of width ${options.network.width}`,
    `${steps[0]} steps of pre-training, ${steps[1]} in each domain`,
    `seed ${seed}`,
  ];
}

/** Look at all images of a plan before the first of many trainings. Returns what the tests call themselves, by the name of their domain. */
async function checkPlan(
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
