import type { Dataset } from "../../data/datasets/dataset.js";
import type { Value } from "../../engine/graph/value.js";
import { div, maximum, number } from "../../engine/ops/elementwise.js";
import { max } from "../../engine/ops/reduce.js";
import { baselineRuns, untrained } from "../../evaluation/baselineRuns.js";
import { choiceMade, chooseSettings } from "../../evaluation/chooseSettings.js";
import type { Scorer } from "../../evaluation/predictors/onePass.js";
import type { PrepareContext } from "../../evaluation/prepare/context.js";
import { prepareOnePass } from "../../evaluation/prepare/onePass.js";
import { BUILT_AT, bindWeights, normalisation } from "../../inference/deployedProgram.js";
import { deployedBaseline } from "../../methods/baselines/deployedBaseline.js";
import type { OnePassMethod } from "../../methods/parts/method.js";
import type { NetworkOutputs } from "../../methods/parts/networkOutputs.js";
import { dynamicShapePass } from "../../networks/layers/pass.js";
import { UserError } from "../../platform/errors.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import type { TrainedRun } from "../../runs/openRun.js";
import { type BaselineInfo, classList, producer } from "../model/modelInfo.js";
import { type BuiltModel, buildModel, type Comparing } from "./buildModel.js";
import { lead } from "./disagreement.js";
import type { Reference } from "./parity.js";

/** Distances multiply the rounding of features: a mixture on a small trained network reached an eighth of it. */
export const BASELINE_TOLERANCE = 1e-4;

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

/** The model of a baseline, compared with evaluation. Nothing is written. */
export async function exportBaseline(
  comparing: Comparing,
  baseline: Baseline,
  source: Dataset,
): Promise<BuiltModel<BaselineInfo>> {
  const { network, scorer, run } = baseline;
  const forward = (images: Value): NetworkOutputs => network.forward(images, dynamicShapePass);
  const graph = await bindWeights(
    comparing.runtime,
    deployedBaseline({ forward, score: scorer.score, height: network.config.view.height, normalisation }, BUILT_AT),
    network.weights,
  );
  const parts = {
    graph,
    info: infoOf(baseline, source),
    reference: baselineReference(baseline),
    name: `"${scorer.method}" of ${run.folder}`,
  };
  return buildModel(comparing, parts, source);
}

/** Leads count as a share of the score where that is above 1. */
export const baselineReference = ({ network, scorer }: Pick<Baseline, "network" | "scorer">): Reference => ({
  network,
  scorer,
  lead: ({ scores, predicted }) => ({
    predicted,
    uncertainty: div(lead(scores), maximum(max(scores, [1]), number(1))),
  }),
  sizes: (uncertainty) => ({ uncertainty: sizeOf(uncertainty), lead: 1 }),
  allowed: BASELINE_TOLERANCE,
});

/**
 * How large an uncertainty counts as, among those of its image: |u|, or the mean of all |u| where that is larger, at least 1.
 * The zero of a log density lies anywhere, so a share of |u| alone would mean nothing near it.
 */
export function sizeOf(uncertainty: Float32Array): (u: number) => number {
  const mean = uncertainty.reduce((total, u) => total + Math.abs(u), 0) / uncertainty.length;
  return (u) => Math.max(1, mean, Math.abs(u));
}

const infoOf = ({ network, scorer, chosen, remarks }: Baseline, source: Dataset): BaselineInfo => ({
  producer: producer(),
  precision: "float32",
  method: scorer.method,
  classes: classList(source),
  settings: { ...scorer.settings },
  chosen,
  height: network.config.view.height,
  network: network.file,
  weights: network.fingerprint,
  remarks: [...remarks],
  training: { ...network.config },
});
