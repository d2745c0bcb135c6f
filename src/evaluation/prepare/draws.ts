import { type DrawsMethod, settingsOf } from "../../methods/method.js";
import { readTensors } from "../../runs/inferenceNetwork.js";
import { networkOf } from "../../runs/openRun.js";
import { baselineConfig, baselineNetwork, baselineRuns, baselineWeights } from "../baselineRuns.js";
import { ensemblePredictor } from "../predictors/ensemble.js";
import { mcDropoutPredictor } from "../predictors/mcDropout.js";
import type { PrepareContext } from "./context.js";
import type { Prepared, Wanted } from "./prepared.js";

/** PE and MI of ensembles: members are read when a predictor needs them. */
export async function prepareEnsembles(context: PrepareContext, methods: readonly DrawsMethod[]): Promise<Prepared> {
  const { run, baselines, runtime } = context;
  const { entry, prepared } = entries(context, methods);
  const { forward } = networkOf({ config: baselineConfig(run.config), classes: run.classes });
  return {
    methods: prepared,
    predictor: (wanted) => {
      const lines = wanted.map(entry);
      const members = baselineRuns(
        run.config,
        lines.map(({ record }) => record),
        baselines,
      );
      return ensemblePredictor(
        runtime,
        lines.map(({ record, ...line }) => ({ ...line, draws: membersOf(record) })),
        {
          average: baselines.average,
          forward,
          members: members.map((member) => () => readTensors(baselineWeights(run, member))),
          memory: baselines.memory,
        },
      );
    },
  };
}

const membersOf = ({ network }: DrawsMethod): number =>
  typeof network === "object" && network.kind === "ensemble" ? network.members : 0;

/** PE and MI of MC dropout, by the networks of all rates. */
export async function prepareMcDropout(context: PrepareContext, methods: readonly DrawsMethod[]): Promise<Prepared> {
  const { run, baselines, runtime } = context;
  const { entry, prepared } = entries(context, methods);
  const runs = baselineRuns(run.config, methods, baselines);
  const networks = await Promise.all(runs.map((baseline) => baselineNetwork(run, baseline)));
  const networkAt = (rate: unknown) =>
    networks[runs.findIndex(({ config }) => config.network.encoderDropout === rate)]!;
  return {
    methods: prepared,
    predictor: (wanted) =>
      mcDropoutPredictor(
        runtime,
        wanted.map(entry).map(({ record: _, ...line }) => ({
          ...line,
          network: networkAt(line.settings.rate),
          draws: Number(line.settings.draws),
        })),
        { average: baselines.average, seed: run.config.seed },
      ),
  };
}

/** What both have in common: settings that depend on nothing but options, and a measure. */
function entries({ baselines: options }: PrepareContext, methods: readonly DrawsMethod[]) {
  const prepared = methods.map((method) => ({
    method,
    settings: settingsOf(method, { options, fitted: null, basis: {} }),
    remarks: [],
  }));
  const entry = ({ name, setting }: Wanted) => {
    const { method: record, settings } = prepared.find(({ method }) => method.name === name)!;
    return { record, method: name, settings: settings[setting]!, measure: record.measure };
  };
  return { prepared, entry };
}
