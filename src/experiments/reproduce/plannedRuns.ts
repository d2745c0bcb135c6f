import { join } from "node:path";
import type { AblationName } from "../../methods/gamma-ssl/ablations.js";
import { type GammaConfig, resolveConfig } from "../../runs/config.js";
import { runFiles } from "../../runs/runFiles.js";
import { adaptationOf } from "../ablationPlan.js";
import { type ReproductionPlan, testedOf } from "./plan.js";

/** Parts of the paper that can be left out: Table 13, Fig. 9 and section X; Table 14; Table 12. */
export const paperParts = ["ablations", "prototypes", "timing"] as const;
/** One of them. */
export type PaperPart = (typeof paperParts)[number];

/** Table 13, without NoSSL, which needs no training, and NoSAX, which knows no domain. */
export const tableAblations = ["no-filter", "sym-param", "sym-non-param", "no-regl", "mcd-ssl"] as const;
/** Section X: in the first domain. */
export const furtherAblations = ["soft-mask", "per-class"] as const;
/** Table 14: in the first domain. */
export const prototypeAblations = [
  "prototypes-12",
  "prototypes-8",
  "prototypes-6",
  "prototypes-2",
  "prototypes-2-no-history",
] as const satisfies AblationName[];

/** A training, and what it is measured on. */
export interface PlannedRun {
  /** Its name, and its folder among those of the reproduction. */
  readonly name: string;
  readonly config: GammaConfig;
  /** Names of domains. */
  readonly tests: readonly string[];
}

/** Names of runs. */
export const runNames = {
  source: "source",
  adapted: (domain: string): string => `gamma-ssl-${domain}`,
  curriculum: (domain: string): string => `curriculum-${domain}`,
  ablated: (ablation: AblationName, domain: string): string => `${ablation}-${domain}`,
  noSax: "no-sax",
} as const;

/** Every training of the paper, in the order in which they are run; the first is the pre-training that all others start from. */
export function plannedRuns(plan: ReproductionPlan, folder: string, skip: readonly PaperPart[]): PlannedRun[] {
  const { domains, further } = plan;
  const first = domains[0]!;
  const [inOrder, all] = [domains, testedOf(plan)].map((some) => some.map(({ name }) => name)) as [string[], string[]];
  const base = resolveConfig({ ...plan.settings, method: "gamma-ssl", targets: [first.train] }, "plan") as GammaConfig;
  const weights = join(folder, runNames.source, runFiles.weights);
  const adapted = (targets: readonly string[], ablation: AblationName | null = null): GammaConfig =>
    adaptationOf(base, { weights, targets, ablation, seed: base.seed });
  const main = [
    ...[...domains, ...further].map(({ name, train }) => ({
      name: runNames.adapted(name),
      config: adapted([train]),
      tests: all,
    })),
    // By way of the first domain alone: London in the paper, hence its name γ-SSL_iL.
    ...domains.slice(1).map(({ name, train }) => ({
      name: runNames.curriculum(name),
      config: adapted([first.train, train]),
      tests: all,
    })),
  ];
  const ablated = (ablation: AblationName, { name, train }: { name: string; train: string }): PlannedRun => ({
    name: runNames.ablated(ablation, name),
    config: adapted([train], ablation),
    tests: [name],
  });
  return [
    { name: runNames.source, config: resolveConfig({ ...base, ablation: "no-ssl" }) as GammaConfig, tests: all },
    ...main,
    ...(skip.includes("ablations")
      ? []
      : [
          { name: runNames.noSax, config: adapted([first.train], "no-sax"), tests: inOrder },
          ...domains.flatMap((domain) => tableAblations.map((ablation) => ablated(ablation, domain))),
          ...furtherAblations.map((ablation) => ablated(ablation, first)),
        ]),
    ...(skip.includes("prototypes") ? [] : prototypeAblations.map((ablation) => ablated(ablation, first))),
  ];
}
