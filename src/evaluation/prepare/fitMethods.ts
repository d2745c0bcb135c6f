import type { Dataset } from "../../data/datasets/dataset.js";
import { fitSaved } from "../../inference/fitSaved.js";
import type { Fitted } from "../../methods/parts/fitting.js";
import type { OnePassMethod } from "../../methods/parts/method.js";
import { UserError } from "../../platform/errors.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
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

const fitted = (
  { run, runtime, overwrite, onProgress }: PrepareContext,
  network: InferenceNetwork,
  dataset: Dataset,
  methods: readonly OnePassMethod[],
): Promise<Map<string, Fitted>> =>
  fitSaved({ folder: run.folder, runtime, network, dataset, overwrite, ...(onProgress && { onProgress }) }, methods);
