import type { Dataset } from "../../data/datasets/dataset.js";
import type { Fitted, FittedMethod } from "../../methods/fittedMethod.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import { fitOnSource } from "../fitOnSource.js";
import { loadScorer, saveScorer } from "../scorerFile.js";
import type { GroupContext } from "./context.js";

/** What methods learned from labelled images: read from the run folder, or learned now, all that is missing together. */
export async function learned(
  { run, runtime, again, onProgress }: GroupContext,
  network: InferenceNetwork,
  dataset: Dataset,
  methods: readonly FittedMethod[],
): Promise<Map<string, Fitted>> {
  const origin = (method: string) => ({ method, network: network.fingerprint, source: dataset.spec });
  const found = new Map<string, Fitted>();
  if (!again) {
    for (const { name } of methods) {
      const saved = await loadScorer(run.folder, origin(name));
      if (saved !== null) found.set(name, saved);
    }
  }
  const missing = methods.filter(({ name }) => !found.has(name));
  if (missing.length === 0) return found;
  const fitted = await fitOnSource({ runtime, network, dataset, ...(onProgress && { onProgress }) }, missing);
  for (const [name, one] of fitted) {
    await saveScorer(run.folder, origin(name), one);
    found.set(name, one);
  }
  return found;
}
