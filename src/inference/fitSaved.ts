import { dataFingerprint } from "../data/datasets/dataFingerprint.js";
import type { Fitted } from "../methods/fitting.js";
import type { OnePassMethod } from "../methods/method.js";
import { loadScorer, saveScorer } from "../runs/scorerFile.js";
import { type FitOptions, fitOnSource } from "./fitOnSource.js";

export interface SavedFitOptions extends FitOptions {
  /** The run whose folder keeps what is fitted. */
  readonly folder: string;
  /** Fit anew what was fitted before. */
  readonly overwrite: boolean;
}

/** The statistics of each method: read from the run folder, or fitted now, all that are missing together, and kept there. */
export async function fitSaved(
  options: SavedFitOptions,
  methods: readonly OnePassMethod[],
): Promise<Map<string, Fitted>> {
  const { folder, network, dataset, overwrite } = options;
  if (methods.length === 0) return new Map();
  const data = await dataFingerprint(dataset);
  const origin = (method: string) => ({ method, network: network.fingerprint, source: dataset.spec, data });
  const found = new Map<string, Fitted>();
  if (!overwrite) {
    for (const { name } of methods) {
      const saved = await loadScorer(folder, origin(name));
      if (saved !== null) found.set(name, saved);
    }
  }
  const missing = methods.filter(({ name }) => !found.has(name));
  if (missing.length === 0) return found;
  for (const [name, fitted] of await fitOnSource(options, missing)) {
    await saveScorer(folder, origin(name), fitted);
    found.set(name, fitted);
  }
  return found;
}
