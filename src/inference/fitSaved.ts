import { dataFingerprint } from "../data/datasets/dataFingerprint.js";
import type { Fitted } from "../methods/parts/fitting.js";
import type { OnePassMethod } from "../methods/parts/method.js";
import { loadScorer, type ScorerOrigin, saveScorer } from "../runs/scorerFile.js";
import { workKey } from "../runs/workKey.js";
import { type FitOptions, fitOnSource } from "./fitOnSource.js";

export interface SavedFitOptions extends FitOptions {
  /** The run whose folder keeps what is fitted. */
  readonly folder: string;
  /** Fit anew what was fitted before. */
  readonly overwrite: boolean;
}

/** What the statistics of a method belong to. */
export async function fitOrigin(
  method: OnePassMethod,
  { network, dataset }: Pick<FitOptions, "network" | "dataset">,
): Promise<ScorerOrigin> {
  const { fingerprint: weights, config } = network;
  const data = await dataFingerprint(dataset);
  return { method: method.name, key: await workKey({ method, weights, data, config, module: import.meta.url }) };
}

/** The statistics of each method: read from the run folder, or fitted now, all that are missing together, and kept there. */
export async function fitSaved(
  options: SavedFitOptions,
  methods: readonly OnePassMethod[],
): Promise<Map<string, Fitted>> {
  const { folder, overwrite } = options;
  const found = new Map<string, Fitted>();
  if (!overwrite) {
    for (const method of methods) {
      const saved = await loadScorer(folder, await fitOrigin(method, options));
      if (saved !== null) found.set(method.name, saved);
    }
  }
  const missing = methods.filter(({ name }) => !found.has(name));
  if (missing.length === 0) return found;
  const fitted = await fitOnSource(options, missing);
  for (const method of missing) {
    const one = fitted.get(method.name)!;
    await saveScorer(folder, await fitOrigin(method, options), one);
    found.set(method.name, one);
  }
  return found;
}
