import { join } from "node:path";
import type { Dataset } from "../../data/datasets/dataset.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import type { BaselineOptions } from "../../methods/parts/baselineOptions.js";
import type { TrainedRun } from "../../runs/openRun.js";
import type { Choosing } from "../chooseSettings.js";
import { choiceKey } from "../methodKey.js";
import type { NetworkNames } from "../networkNames.js";

/** What is needed to prepare methods. */
export interface PrepareContext {
  readonly runtime: Runtime;
  readonly run: TrainedRun;
  /** Labelled images to fit methods on: those the network was trained on. */
  readonly source: Dataset;
  /** Held-out labelled images of the source; null where none are known. */
  readonly validation: Dataset | null;
  readonly choosing: Choosing;
  readonly baselines: BaselineOptions;
  /** Fit anew what was fitted before. */
  readonly overwrite: boolean;
  readonly onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

/** A context whose choices of settings are remembered in the run folder. */
export function prepareContext(
  given: Omit<PrepareContext, "choosing">,
  how: Pick<Choosing, "by" | "on" | "policy">,
  networks: NetworkNames,
): PrepareContext {
  const { run, onProgress } = given;
  const memory = join(run.folder, "scorers", "chosen.json");
  const choosing: Choosing = {
    ...how,
    height: run.config.view.height,
    memory,
    networks,
    keyOf: (method, candidates) => choiceKey(method, candidates, context),
    ...(onProgress && { onProgress }),
  };
  const context: PrepareContext = { ...given, choosing };
  return context;
}
