import { join } from "node:path";
import type { Dataset } from "../../data/datasets/dataset.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import type { TrainedRun } from "../../runs/openRun.js";
import type { BaselineOptions } from "../baselineOptions.js";
import { Chooser } from "../chooser.js";
import type { NetworkNames } from "../networkNames.js";
import type { Selection } from "../results/resultFile.js";
import type { PolicyName } from "../results/resultOf.js";

/** What is needed to make a group of methods ready. */
export interface GroupContext {
  readonly runtime: Runtime;
  readonly run: TrainedRun;
  /** Labelled images that scorers learn from: those the network was trained on. */
  readonly source: Dataset;
  /** Held-out labelled images of the source; null where none are known. */
  readonly validation: Dataset | null;
  readonly chooser: Chooser;
  readonly baselines: BaselineOptions;
  /** Fit anew what was fitted before. */
  readonly again: boolean;
  readonly onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

/** How settings are chosen: by what rule, on which pictures, with which pixels counted. */
export interface Choosing {
  readonly by: Selection;
  /** Null: nothing is tried, the first settings count. */
  readonly on: Dataset | null;
  readonly policy: PolicyName;
}

/** A context whose choices are remembered in the run folder. */
export function groupContext(
  given: Omit<GroupContext, "chooser">,
  { by, on, policy }: Choosing,
  names: NetworkNames,
): GroupContext {
  const { run, onProgress } = given;
  const memory = join(run.folder, "scorers", "chosen.json");
  const height = run.config.view.height;
  return {
    ...given,
    chooser: new Chooser({ by, on, policy, height, memory, ...(onProgress && { onProgress }) }, names),
  };
}
