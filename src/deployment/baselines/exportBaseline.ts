import type { Dataset } from "../../data/datasets/dataset.js";
import type { Value } from "../../engine/graph/value.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { BUILT_AT, bindWeights, normalisation, openBytes } from "../../inference/deployedProgram.js";
import { deployedBaseline } from "../../methods/baselines/deployed.js";
import { baselineSignature } from "../../methods/deployedSignature.js";
import type { NetworkOutputs } from "../../methods/networkOutputs.js";
import { dynamicShapePass } from "../../networks/layers/pass.js";
import { parityImages } from "../export/parityImages.js";
import { type BaselineInfo, classList, metadataOf, producer } from "../model/modelInfo.js";
import type { Baseline } from "./baseline.js";
import { BaselineModel } from "./baselineModel.js";
import { type BaselineParity, compareBaseline, requireBaselineParity } from "./baselineParity.js";

/** A baseline's model that has shown to answer as evaluation does. */
export interface ExportedBaseline {
  readonly info: BaselineInfo;
  readonly bytes: Uint8Array;
  readonly parity: BaselineParity;
}

/** Make the model of a baseline and hold it to evaluation, at several sizes of images of the source. Nothing is written. */
export async function exportBaseline(runtime: Runtime, baseline: Baseline, source: Dataset): Promise<ExportedBaseline> {
  const { network, scorer, run } = baseline;
  const forward = (images: Value): NetworkOutputs => network.forward(images, dynamicShapePass);
  const graph = deployedBaseline({ forward, score: scorer.score, normalisation }, BUILT_AT);
  const info = baselineInfo(baseline, source);
  const bytes = openBytes(await bindWeights(runtime, graph, network.weights), baselineSignature, metadataOf(info));
  const model = await BaselineModel.open(runtime, bytes, "the exported model");
  try {
    const parity = await compareBaseline(model, runtime, baseline, await parityImages(source, info.height));
    requireBaselineParity(parity, scorer.method, run.folder);
    return { info, bytes, parity };
  } finally {
    await model.close();
  }
}

const baselineInfo = ({ network, scorer, chosen, remarks }: Baseline, source: Dataset): BaselineInfo => ({
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
