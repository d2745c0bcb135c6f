import type { Settings } from "../../methods/scorer.js";
import type { MethodName } from "../methodNames.js";
import { mcDropoutPanel } from "../panels/mcDropout.js";
import { rivalNetwork, rivalRuns } from "../rivalRuns.js";
import type { GroupContext } from "./context.js";
import type { Group } from "./group.js";

/** PE and MI of MC dropout, at each of the rates that were trained and the numbers of draws (B-1). */
export async function mcDropoutGroup(context: GroupContext, methods: readonly MethodName[]): Promise<Group> {
  const { run, rivals, runtime } = context;
  const runs = rivalRuns(run.config, ["mc-dropout-pe"], rivals);
  const networks = await Promise.all(runs.map((rival) => rivalNetwork(run, rival)));
  const tries = networks.flatMap((network, i) =>
    rivals.passes.map((draws) => ({ network, draws, rate: runs[i]!.config.network.encoderDropout })),
  );
  const settings: Settings[] = tries.map(({ rate, draws }) => ({ rate, draws, average: rivals.average }));
  return {
    contenders: methods.map((method) => ({ method, settings, remarks: [] })),
    open: (wanted) =>
      mcDropoutPanel(
        runtime,
        wanted.map(({ method, setting }) => ({
          method,
          settings: settings[setting]!,
          measure: method === "mc-dropout-mi" ? ("mi" as const) : ("pe" as const),
          network: tries[setting]!.network,
          draws: tries[setting]!.draws,
        })),
        { average: rivals.average, seed: run.config.seed },
      ),
  };
}
