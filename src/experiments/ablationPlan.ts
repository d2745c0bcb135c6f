import { join } from "node:path";
import type { ResultFile } from "../evaluation/results/resultFile.js";
import { type AblationName, ablations } from "../methods/gamma-ssl/ablations.js";
import type { GammaOptions } from "../methods/gamma-ssl/options.js";
import { UserError } from "../platform/errors.js";
import { contentHash, type GammaConfig, resolveConfig } from "../runs/config.js";
import { fingerprintOf } from "../runs/fingerprint.js";
import { readTensors } from "../runs/inferenceNetwork.js";
import { runFiles } from "../runs/runFiles.js";

/** A training of γ-SSL, or of a variant of it, that an ablation study compares. */
export interface Trial {
  /** Its folder in that of the study. */
  readonly folder: string;
  readonly ablation: AblationName | null;
  readonly seed: number;
  readonly config: GammaConfig;
}

/** An ablation study: one pre-training that all share, then γ-SSL and each ablation from it, once for each seed. */
export interface AblationPlan {
  /** Null where pre-trained weights were named. */
  readonly source: GammaConfig | null;
  readonly trials: readonly Trial[];
}

export interface AblationChoice {
  /** Settings as in a config file: with a first stage, which is shared; or without one, from `weights`. */
  readonly settings: object;
  readonly ablations: readonly AblationName[];
  readonly seeds: number;
  /** The folder of the study. */
  readonly to: string;
}

/** Where the shared pre-training lies in the folder of a study. */
export const SOURCE = "source";

export function ablationPlan({ settings, ablations: names, seeds, to }: AblationChoice): AblationPlan {
  const base = resolveConfig({ ...settings, method: "gamma-ssl" }) as GammaConfig;
  for (const name of names) refuseFirstStage(name, base.options);
  const pretrains = base.options.training.pretraining > 0;
  const weights = pretrains ? join(to, SOURCE, runFiles.weights) : base.weights;
  const trial = (ablation: AblationName | null, seed: number): Trial => ({
    folder: `${ablation ?? "gamma-ssl"}-seed${seed}`,
    ablation,
    seed,
    config: adaptationOf(base, { weights, targets: base.targets, ablation, seed }),
  });
  const variants = [null, ...names.filter((name) => name !== "no-ssl")];
  return {
    source: pretrains ? (resolveConfig({ ...base, ablation: "no-ssl" }) as GammaConfig) : null,
    trials: Array.from({ length: seeds }, (_, i) => base.seed + i).flatMap((seed) =>
      variants.map((ablation) => trial(ablation, seed)),
    ),
  };
}

/** All ablations begin with one pre-training: those that are about it, or whose network has other weights, would be trained in vain. */
function refuseFirstStage(name: AblationName, options: GammaOptions): void {
  if (name === "no-ssl") return;
  const varied = ablations[name].vary(options);
  const afterwards = ({ uniformity, ...rest }: GammaOptions): string =>
    contentHash({ ...rest, uniformity: { ...uniformity, pretraining: false } });
  const why =
    contentHash(varied.network) !== contentHash(options.network)
      ? "its network is another one"
      : afterwards(varied) === afterwards(options) && "it changes nothing after the first stage";
  if (why === false) return;
  throw new UserError(`the ablation "${name}" cannot begin with the pre-training that all share: ${why}`, {
    hint: `leave it out here; gssl train --config CONFIG --ablation ${name} trains both stages`,
    code: "bad-option",
  });
}

/** The second stage alone, or an ablation of it, from the weights of a first stage. */
export function adaptationOf(
  { options, ...rest }: GammaConfig,
  changes: Pick<GammaConfig, "weights" | "ablation" | "seed"> & { readonly targets: readonly string[] },
): GammaConfig {
  const training = { ...options.training, pretraining: 0 };
  return resolveConfig({ ...rest, ...changes, options: { ...options, training } }) as GammaConfig;
}

/** Ablations that ended with the same weights as γ-SSL with the same seed: they changed nothing. */
export async function withoutEffect(to: string, trials: readonly Trial[]): Promise<AblationName[]> {
  // Of the tensors: the file also names the config, which differs by the ablation.
  const hashes = new Map<string, string>();
  for (const { folder } of trials) {
    hashes.set(folder, fingerprintOf(await readTensors(join(to, folder, runFiles.weights))));
  }
  const same = trials.filter(
    ({ ablation, folder, seed }) => ablation !== null && hashes.get(folder) === hashes.get(`gamma-ssl-seed${seed}`),
  );
  return [...new Set(same.map(({ ablation }) => ablation!))];
}

/** Mean over seeds, and the standard deviation of a single one (null of one seed alone). */
export interface Spread {
  readonly mean: number;
  readonly deviation: number | null;
}

/** The part of a result that the table is made of. */
export type MeasuredResult = Pick<ResultFile, "accuracy" | "auroc" | "aupr" | "maxAmd" | "maxF05" | "atGamma">;

/** What the table shows of a result. */
export const ablationMeasures = {
  accuracy: ({ accuracy }: MeasuredResult) => accuracy,
  AUROC: ({ auroc }: MeasuredResult) => auroc,
  AUPR: ({ aupr }: MeasuredResult) => aupr,
  MaxA_MD: ({ maxAmd }: MeasuredResult) => maxAmd?.value ?? null,
  "MaxF0.5": ({ maxF05 }: MeasuredResult) => maxF05?.value ?? null,
  "A_MD at γ": ({ atGamma }: MeasuredResult) => atGamma?.amd ?? null,
} as const;
export type AblationMeasure = keyof typeof ablationMeasures;

export interface AblationRow {
  readonly name: string;
  readonly seeds: number;
  readonly measures: Readonly<Record<AblationMeasure, Spread | null>>;
}

/** One row for each name, over its results on one data set. */
export function ablationRows(
  results: readonly { readonly name: string; readonly result: MeasuredResult }[],
): AblationRow[] {
  const names = [...new Set(results.map(({ name }) => name))];
  return names.map((name) => {
    const own = results.filter((one) => one.name === name).map(({ result }) => result);
    const spreads = Object.entries(ablationMeasures).map(([measure, of]) => [measure, spreadOf(own.map(of))] as const);
    return { name, seeds: own.length, measures: Object.fromEntries(spreads) as AblationRow["measures"] };
  });
}

function spreadOf(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || known.length < values.length) return null;
  const mean = known.reduce((total, value) => total + value, 0) / known.length;
  if (known.length === 1) return { mean, deviation: null };
  const squares = known.reduce((total, value) => total + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (known.length - 1)) };
}

/** As Markdown: mean ± standard deviation over seeds. */
export function ablationTable(rows: readonly AblationRow[], idle: readonly string[]): string[] {
  const heads = Object.keys(ablationMeasures) as AblationMeasure[];
  const cell = (spread: Spread | null): string => {
    if (spread === null) return "–";
    return spread.deviation === null
      ? spread.mean.toFixed(3)
      : `${spread.mean.toFixed(3)} ± ${spread.deviation.toFixed(3)}`;
  };
  return [
    `| | seeds | ${heads.join(" | ")} |`,
    `|---|---|${heads.map(() => "---").join("|")}|`,
    ...rows.map(({ name, seeds, measures }) => {
      const mark = idle.includes(name) ? " (no effect on the weights)" : "";
      return `| ${name}${mark} | ${seeds} | ${heads.map((head) => cell(measures[head])).join(" | ")} |`;
    }),
  ];
}
