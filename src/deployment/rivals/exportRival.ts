import type { Dataset } from "../../data/datasets/dataset.js";
import type { Value } from "../../engine/graph/value.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { deployedRival } from "../../methods/baselines/deployed.js";
import { rivalSignature } from "../../methods/deployed.js";
import type { Answers } from "../../methods/scorer.js";
import { openPass } from "../../networks/layers/pass.js";
import { parityPictures } from "../export/parityPictures.js";
import { classList, metadataOf, producer, type RivalInfo } from "../model/modelInfo.js";
import { BUILT_AT, carrying, normalisation, openBytes } from "../model/openModel.js";
import type { Rival } from "./rival.js";
import { RivalModel } from "./rivalModel.js";
import { compareRival, type RivalParity, requireRivalParity } from "./rivalParity.js";

/** A rival's model that has shown to answer as evaluation does. */
export interface ExportedRival {
  readonly info: RivalInfo;
  readonly bytes: Uint8Array;
  readonly parity: RivalParity;
}

/** Make the model of a rival and hold it to evaluation, at several sizes of pictures of the source. Nothing is written. */
export async function exportRival(runtime: Runtime, rival: Rival, source: Dataset): Promise<ExportedRival> {
  const { network, candidate, method, run } = rival;
  const look = (images: Value): Answers => network.look(images, openPass);
  const graph = deployedRival({ look, scorer: candidate.scorer, normalisation }, BUILT_AT);
  const info = rivalInfo(rival, source);
  const bytes = openBytes(await carrying(runtime, graph, network.weights), rivalSignature, metadataOf(info));
  const model = await RivalModel.open(runtime, bytes, "the exported model");
  try {
    const parity = await compareRival(model, runtime, rival, await parityPictures(source, info.height));
    requireRivalParity(parity, method, run.folder);
    return { info, bytes, parity };
  } finally {
    await model.close();
  }
}

const rivalInfo = ({ method, network, candidate, chosen, remarks }: Rival, source: Dataset): RivalInfo => ({
  producer: producer(),
  precision: "float32",
  method,
  classes: classList(source),
  settings: { ...candidate.settings },
  chosen,
  height: network.config.view.height,
  network: network.file,
  weights: network.fingerprint,
  remarks: [...remarks],
  training: { ...network.config },
});
