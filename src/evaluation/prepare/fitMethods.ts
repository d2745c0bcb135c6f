import { dataFingerprint } from "../../data/datasets/dataFingerprint.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import type { Fitted } from "../../methods/fitting.js";
import type { OnePassMethod } from "../../methods/method.js";
import { UserError } from "../../platform/errors.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import { fitOnSource } from "../fitOnSource.js";
import { loadScorer, saveScorer } from "../scorerFile.js";
import type { PrepareContext } from "./context.js";

const NONE: Fitted = { tensors: {}, remarks: [] };

/** The statistics of each method: read from the run folder, or fitted now, all that are missing together. */
export async function fitMethods(
  context: PrepareContext,
  network: InferenceNetwork,
  methods: readonly OnePassMethod[],
): Promise<(method: OnePassMethod) => Fitted> {
  const fitting = methods.filter(({ fit }) => fit !== undefined);
  const onSource = fitting.filter(({ needsHeldOut }) => !needsHeldOut);
  const onHeldOut = fitting.filter(({ needsHeldOut }) => needsHeldOut);
  const found = await fitted(context, network, context.source, onSource);
  if (onHeldOut.length > 0) {
    if (context.validation === null) {
      throw new UserError(`${onHeldOut[0]!.name} needs held-out labelled images of the source`, {
        hint: "name some: --source-val SPEC",
      });
    }
    for (const [name, one] of await fitted(context, network, context.validation, onHeldOut)) found.set(name, one);
  }
  return ({ name }) => found.get(name) ?? NONE;
}

async function fitted(
  { run, runtime, again, onProgress }: PrepareContext,
  network: InferenceNetwork,
  dataset: Dataset,
  methods: readonly OnePassMethod[],
): Promise<Map<string, Fitted>> {
  if (methods.length === 0) return new Map();
  const data = await dataFingerprint(dataset);
  const origin = (method: string) => ({ method, network: network.fingerprint, source: dataset.spec, data });
  const found = new Map<string, Fitted>();
  if (!again) {
    for (const { name } of methods) {
      const saved = await loadScorer(run.folder, origin(name));
      if (saved !== null) found.set(name, saved);
    }
  }
  const missing = methods.filter(({ name }) => !found.has(name));
  if (missing.length === 0) return found;
  const fresh = await fitOnSource({ runtime, network, dataset, ...(onProgress && { onProgress }) }, missing);
  for (const [name, one] of fresh) {
    await saveScorer(run.folder, origin(name), one);
    found.set(name, one);
  }
  return found;
}
