import type { GroupContext } from "../../evaluation/groups/context.js";
import { openOnePass } from "../../evaluation/groups/openGroup.js";
import { kinOf } from "../../evaluation/methodNames.js";
import { rivalRuns, untrained } from "../../evaluation/rivalRuns.js";
import type { Candidate } from "../../methods/scorer.js";
import { UserError } from "../../platform/errors.js";
import type { TrainedRun } from "../../runs/openRun.js";
import type { RestingNetwork } from "../../runs/restingNetwork.js";
import type { ExportableRival } from "../export/exportable.js";
import type { RivalInfo } from "../model/modelInfo.js";

/** A rival of one pass, fitted and with its settings chosen: what can be deployed. */
export interface Rival {
  readonly run: TrainedRun;
  readonly method: ExportableRival;
  readonly network: RestingNetwork;
  readonly candidate: Candidate;
  readonly chosen: RivalInfo["chosen"];
  readonly remarks: readonly string[];
}

/** Make a rival ready as `gssl evaluate` does: what it learned and chose before is read from the run folder. */
export async function openRival(context: GroupContext, method: ExportableRival): Promise<Rival> {
  const { run, rivals, chooser } = context;
  const [missing] = await untrained(run, rivalRuns(run.config, [method], rivals));
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
