import { specOf } from "../../data/datasets/spec.js";
import type { ResultFile } from "../../evaluation/results/resultFile.js";
import { PAPER_RATE } from "../../methods/baselines/mcDropout.js";
import { type Ablation, ablations } from "../../methods/gamma-ssl/ablations.js";
import { tablePlaces } from "../../report/tablePlaces.js";
import type { GammaConfig, TrainConfig } from "../../runs/config.js";
import { type PaperDomain, type PaperNumber, type PaperSource, paperMethods, paperNumbers } from "./paperNumbers.js";

/** The paper's numbers of the method, source and domain that a result is of; none where the paper has no such model or no such test. */
export function paperOf(
  { method, dataset, chosen }: Pick<ResultFile, "method" | "dataset" | "chosen">,
  config: TrainConfig | null,
): PaperNumber[] {
  const source = config === null ? null : sourceOf(config.source);
  const domain = domainOf(dataset);
  if (config === null || source === null || domain === null) return [];
  // MC dropout may be of another rate than the paper's.
  if ((chosen?.settings.rate ?? PAPER_RATE) !== PAPER_RATE) return [];
  const name = paperMethodOf(method);
  const model = name === "γ-SSL" ? adaptedModel(config, domain) : name;
  return paperNumbers.filter((one) => one.source === source && one.domain === domain && one.method === model);
}

/** What can be compared, in words. */
export const paperHas =
  "the paper has runs of source cityscapes: on sax (london, new-forest, scotland), kitti, bdd and wilddash; of source bdd: on sax; γ-SSL only in the domain it was adapted to";

/** How the paper spells a method of ours or an ablation; undefined where it has none of this name. */
export function paperMethodOf(name: string): string | undefined {
  const places = tablePlaces();
  const index = places(name)?.index;
  const ablation: Ablation | undefined = Object.hasOwn(ablations, name)
    ? ablations[name as keyof typeof ablations]
    : undefined;
  return paperMethods.find(
    (method) =>
      method === name || method === ablation?.paper || (index !== undefined && places(method)?.index === index),
  );
}

function sourceOf(spec: string): PaperSource | null {
  const reader = specOf(spec)?.reader;
  return reader === "cityscapes" ? "Cityscapes" : reader === "bdd" ? "BDD" : null;
}

const saxDomains: ReadonlyMap<string | undefined, PaperDomain> = new Map([
  ["london", "LDN"],
  ["new-forest", "NF"],
  ["scotland", "SCOT"],
]);

const readerDomains: ReadonlyMap<string | undefined, PaperDomain> = new Map([
  ["kitti", "KITTI"],
  ["bdd", "BDD"],
  ["wilddash", "WildDash"],
]);

function domainOf(dataset: string): PaperDomain | null {
  const spec = specOf(dataset);
  return (
    (spec?.reader === "sax" ? saxDomains.get(spec.options.get("domain")) : readerDomains.get(spec?.reader)) ?? null
  );
}

/** Ablations that never see their target, so that it may be any. */
const withoutTarget: readonly GammaConfig["ablation"][] = ["no-ssl", "no-sax"];

/**
 * The paper's name of the network that a training of γ-SSL ends with, as it is tested in a domain. The paper adapts a network to each
 * domain that it tests (section VI-C): γ-SSL_iL to London first, and on WildDash it is that of Scotland.
 */
function adaptedModel(config: TrainConfig, domain: PaperDomain): string | null {
  if (config.method !== "gamma-ssl") return null;
  const targets = config.targets.map(domainOf);
  const alone = targets.length === 1 && targets[0] === domain;
  if (config.ablation !== null) {
    return alone || withoutTarget.includes(config.ablation) ? ablations[config.ablation].paper : null;
  }
  if (alone) return "γ-SSL";
  const last = domain === "WildDash" ? "SCOT" : domain;
  return targets.length === 2 && targets[0] === "LDN" && targets[1] === last ? "γ-SSL_iL" : null;
}
