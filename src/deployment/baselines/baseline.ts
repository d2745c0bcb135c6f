import { baselineRuns, untrained } from "../../evaluation/baselineRuns.js";
import type { GroupContext } from "../../evaluation/groups/context.js";
import { openOnePass } from "../../evaluation/groups/openGroup.js";
import { kinOf } from "../../evaluation/methodNames.js";
import type { Candidate } from "../../methods/scorer.js";
import { UserError } from "../../platform/errors.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import type { TrainedRun } from "../../runs/openRun.js";
import type { ExportableBaseline } from "../export/exportable.js";
import type { BaselineInfo } from "../model/modelInfo.js";

/** A baseline of one pass, fitted and with its settings chosen: what can be deployed. */
export interface Baseline {
  readonly run: TrainedRun;
  readonly method: ExportableBaseline;
  readonly network: InferenceNetwork;
  readonly candidate: Candidate;
  readonly chosen: BaselineInfo["chosen"];
  readonly remarks: readonly string[];
}

/** Make a baseline ready as `gssl evaluate` does: what it learned and chose before is read from the run folder. */
export async function openBaseline(context: GroupContext, method: ExportableBaseline): Promise<Baseline> {
  const { run, baselines, chooser } = context;
  const [missing] = await untrained(run, baselineRuns(run.config, [method], baselines));
  if (missing !== undefined) {
    throw new UserError(
      `"${method}" looks through a network of its own, and ${run.folder} has no ${missing.name} yet`,
      {
        hint: `gssl evaluate ${run.folder} --on SPEC --methods ${method} trains it`,
      },
    );
  }
  const group = await openOnePass(context, kinOf[method], [method]);
  const place = (await chooser.choose(group)).get(method)!;
  const { settings, remarks } = group.contenders.find((one) => one.method === method)!;
  const tried = settings.length > 1 && chooser.by !== "fixed";
  return {
    run,
    method,
    network: group.network,
    candidate: group.candidate(method, place),
    chosen: {
      by: tried ? chooser.by : "fixed",
      among: tried ? settings.length : 1,
      on: tried ? chooser.on : null,
    },
    remarks,
  };
}
