import type { Dataset } from "../data/datasets/dataset.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import type { HostTensor } from "../engine/tensor/hostTensor.js";
import { gammaSsl, prototypeMethod } from "../methods/gamma-ssl/prototypeMethod.js";
import { invariant } from "../platform/errors.js";
import { finalNetwork } from "../runs/inferenceNetwork.js";
import type { TrainedRun } from "../runs/openRun.js";
import { type FitOptions, fitOnSource } from "./fitOnSource.js";

/** Prototypes of all labelled source images (P-10, P-11), for a run of the method: [F, K]. */
export async function fitPrototypes(
  runtime: Runtime,
  run: TrainedRun,
  source: Dataset,
  onProgress?: FitOptions["onProgress"],
): Promise<HostTensor> {
  const network = finalNetwork(run);
  const { gammaNetwork, config } = network;
  invariant(gammaNetwork !== null && config.method === "gamma-ssl", `${run.folder} has no projection`);
  const method = prototypeMethod(gammaSsl, gammaNetwork, config.options);
  const fitted = await fitOnSource({ runtime, network, dataset: source, ...(onProgress && { onProgress }) }, [method]);
  return fitted.get(method.name)!.tensors.prototypes!;
}
