import { type DrawsMethod, type Settings, settingsOf } from "../../methods/parts/method.js";
import { readTensors } from "../../runs/inferenceNetwork.js";
import { networkOf } from "../../runs/openRun.js";
import { baselineConfig, baselineNetwork, baselineRuns, baselineWeights } from "../baselineRuns.js";
import type { DrawsWanted } from "../predictors/draws.js";
import { type EnsembleEntry, ensemblePredictor } from "../predictors/ensemble.js";
import { type DropoutEntry, mcDropoutPredictor } from "../predictors/mcDropout.js";
import type { Entry } from "../predictors/predictor.js";
import type { PrepareContext } from "./context.js";
import type { Prepared, PreparedMethod } from "./prepared.js";

/** PE and MI of ensembles. The weights of members are read when they are needed. */
export async function prepareEnsembles(
  context: PrepareContext,
  methods: readonly DrawsMethod[],
): Promise<Prepared<EnsembleEntry>> {
  const { run, baselines, runtime } = context;
  const { forward } = networkOf({ config: baselineConfig(run.config), classes: run.classes });
  const members = baselineRuns(run.config, methods, baselines);
  return {
    methods: preparedDraws(context, methods, ({ network }) => ({
      draws: network.kind === "ensemble" ? network.members : 0,
    })),
    predictor: (entries) =>
      ensemblePredictor(runtime, entries, {
        average: baselines.average,
        forward,
        members: members.map((member) => () => readTensors(baselineWeights(run, member))),
        memory: baselines.memory,
      }),
  };
}

/** PE and MI of MC dropout, by the networks of all rates. */
export async function prepareMcDropout(
  context: PrepareContext,
  methods: readonly DrawsMethod[],
): Promise<Prepared<DropoutEntry>> {
  const { run, baselines, runtime } = context;
  const runs = baselineRuns(run.config, methods, baselines);
  const networks = await Promise.all(runs.map((baseline) => baselineNetwork(run, baseline)));
  return {
    methods: preparedDraws(context, methods, (_, { rate, draws }) => ({
      draws: Number(draws),
      network: networks[runs.findIndex(({ config }) => config.network.encoderDropout === rate)]!,
    })),
    predictor: (entries) => mcDropoutPredictor(runtime, entries, { average: baselines.average, seed: run.config.seed }),
  };
}

/** Settings of both depend on options alone. `further` is what an entry has beside its measure. */
function preparedDraws<F>(
  { baselines: options }: PrepareContext,
  methods: readonly DrawsMethod[],
  further: (method: DrawsMethod, settings: Settings) => F,
): PreparedMethod<Entry & Pick<DrawsWanted, "measure"> & F>[] {
  return methods.map((method) => ({
    method,
    entries: settingsOf(method, { options, fitted: null, basis: {} }).map((settings) => ({
      method: method.name,
      settings,
      measure: method.measure,
      ...further(method, settings),
    })),
    remarks: [],
  }));
}
