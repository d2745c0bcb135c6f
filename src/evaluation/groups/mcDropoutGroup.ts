import type { Settings } from "../../methods/scorer.js";
import { baselineNetwork, baselineRuns } from "../baselineRuns.js";
import type { MethodName } from "../methodNames.js";
import { mcDropoutPredictor } from "../predictors/mcDropout.js";
import type { GroupContext } from "./context.js";
import type { Group } from "./group.js";

/** PE and MI of MC dropout, at each of the rates that were trained and the numbers of draws (B-1). */
export async function mcDropoutGroup(context: GroupContext, methods: readonly MethodName[]): Promise<Group> {
  const { run, baselines, runtime } = context;
  const runs = baselineRuns(run.config, ["mc-dropout-pe"], baselines);
  const networks = await Promise.all(runs.map((baseline) => baselineNetwork(run, baseline)));
  const tries = networks.flatMap((network, i) =>
    baselines.passes.map((draws) => ({ network, draws, rate: runs[i]!.config.network.encoderDropout })),
  );
  const settings: Settings[] = tries.map(({ rate, draws }) => ({ rate, draws, average: baselines.average }));
  return {
    contenders: methods.map((method) => ({ method, settings, remarks: [] })),
    open: (wanted) =>
      mcDropoutPredictor(
        runtime,
        wanted.map(({ method, setting }) => ({
          method,
          settings: settings[setting]!,
          measure: method === "mc-dropout-mi" ? ("mi" as const) : ("pe" as const),
          network: tries[setting]!.network,
          draws: tries[setting]!.draws,
        })),
        { average: baselines.average, seed: run.config.seed },
      ),
  };
}
