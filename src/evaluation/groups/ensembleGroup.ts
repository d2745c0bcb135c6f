import { readTensors } from "../../runs/inferenceNetwork.js";
import { networkOf } from "../../runs/openRun.js";
import { baselineConfig, baselineRuns, baselineWeights } from "../baselineRuns.js";
import { type MethodName, membersIn } from "../methodNames.js";
import { ensemblePredictor } from "../predictors/ensemble.js";
import type { GroupContext } from "./context.js";
import type { Group } from "./group.js";

/** PE and MI of ensembles; one of five is the first five of one of ten (B-3). */
export function ensembleGroup({ run, baselines, runtime }: GroupContext, methods: readonly MethodName[]): Group {
  const config = baselineConfig(run.config);
  const settings = { average: baselines.average };
  return {
    contenders: methods.map((method) => ({ method, settings: [settings], remarks: [] })),
    open: (wanted) => {
      const names = wanted.map(({ method }) => method);
      const members = baselineRuns(run.config, names, baselines).map(
        ({ name }) =>
          () =>
            readTensors(baselineWeights(run, name)),
      );
      return ensemblePredictor(
        runtime,
        names.map((method) => ({
          method,
          settings,
          draws: membersIn(method),
          measure: method.startsWith("ensemble-mi") ? ("mi" as const) : ("pe" as const),
        })),
        {
          average: baselines.average,
          forward: networkOf({ config, classes: run.classes }).forward,
          members,
          memory: baselines.memory,
        },
      );
    },
  };
}
