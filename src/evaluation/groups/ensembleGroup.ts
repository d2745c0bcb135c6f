import { networkOf } from "../../runs/openRun.js";
import { readTensors } from "../../runs/restingNetwork.js";
import { type MethodName, membersIn } from "../methodNames.js";
import { ensemblePanel } from "../panels/ensemble.js";
import { rivalConfig, rivalRuns, rivalWeights } from "../rivalRuns.js";
import type { GroupContext } from "./context.js";
import type { Group } from "./group.js";

/** PE and MI of ensembles; one of five is the first five of one of ten (B-3). */
export function ensembleGroup({ run, rivals, runtime }: GroupContext, methods: readonly MethodName[]): Group {
  const config = rivalConfig(run.config);
  const settings = { average: rivals.average };
  return {
    contenders: methods.map((method) => ({ method, settings: [settings], remarks: [] })),
    open: (wanted) => {
      const names = wanted.map(({ method }) => method);
      const members = rivalRuns(run.config, names, rivals).map(
        ({ name }) =>
          () =>
            readTensors(rivalWeights(run, name)),
      );
      return ensemblePanel(
        runtime,
        names.map((method) => ({
          method,
          settings,
          draws: membersIn(method),
          measure: method.startsWith("ensemble-mi") ? ("mi" as const) : ("pe" as const),
        })),
        {
          average: rivals.average,
          look: networkOf({ config, classes: run.classes }).look,
          members,
          memory: rivals.memory,
        },
      );
    },
  };
}
