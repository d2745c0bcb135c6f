import { baselineRuns, untrained } from "../../evaluation/baselineRuns.js";
import { choiceMade, chooseSettings } from "../../evaluation/chooseSettings.js";
import type { Scorer } from "../../evaluation/predictors/onePass.js";
import type { PrepareContext } from "../../evaluation/prepare/context.js";
import { prepareOnePass } from "../../evaluation/prepare/onePass.js";
import type { OnePassMethod } from "../../methods/method.js";
import { UserError } from "../../platform/errors.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import type { TrainedRun } from "../../runs/openRun.js";
import type { BaselineInfo } from "../model/modelInfo.js";

/** A baseline of one pass, fitted and with its settings chosen: what can be deployed. */
export interface Baseline {
  readonly run: TrainedRun;
  readonly network: InferenceNetwork;
  readonly scorer: Scorer;
  readonly chosen: BaselineInfo["chosen"];
  readonly remarks: readonly string[];
}

/** Prepare a baseline as `gssl evaluate` does: statistics and choices of before are read from the run folder. */
export async function openBaseline(context: PrepareContext, method: OnePassMethod): Promise<Baseline> {
  const { run, baselines, choosing } = context;
  const { name } = method;
  const [missing] = await untrained(run, baselineRuns(run.config, [method], baselines), context.source);
  if (missing !== undefined) {
    throw new UserError(`"${name}" looks through a network of its own, and ${run.folder} has no ${missing.name} yet`, {
      hint: `gssl evaluate ${run.folder} --on SPEC --methods ${name} trains it`,
    });
  }
  const prepared = await prepareOnePass(context, [method]);
  const [chosen] = await chooseSettings(prepared, choosing);
  const [ready] = prepared.methods;
  return {
    run,
    network: prepared.network,
    scorer: ready!.entries[chosen!]!,
    chosen: choiceMade(ready!, choosing),
    remarks: ready!.remarks,
  };
}
