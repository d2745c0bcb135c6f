import type { Dataset } from "../../data/datasets/dataset.js";
import type { Graph } from "../../engine/graph/graph.js";
import type { Node } from "../../engine/graph/value.js";
import { quantiseConvs, valuesInBytes } from "../../engine/ops/quantiseConvs.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { modelBytes } from "../model/modelBytes.js";
import type { ModelInfo } from "../model/modelInfo.js";
import type { BuiltModel } from "./buildModel.js";
import { rangesOver } from "./calibrate.js";
import { halfWeights } from "./halfWeights.js";
import type { Parity } from "./parity.js";

export type Precision = Exclude<ModelInfo["precision"], "float32">;

/** An exported model with less precise numbers in it. */
export interface Variant {
  readonly info: ModelInfo;
  readonly bytes: Uint8Array;
  /** How it differs from the trained network, which is more than the model it was made of does. */
  readonly parity: Parity;
}

export async function variantOf(
  precision: Precision,
  { graph, info, compare }: Pick<BuiltModel<ModelInfo>, "graph" | "info" | "compare">,
  { runtime, calibration }: { readonly runtime: Runtime; readonly calibration: Dataset },
): Promise<Variant> {
  const less = precision === "float16" ? halfWeights(graph) : await inBytes(graph, info, runtime, calibration);
  const own = { ...info, precision };
  const bytes = modelBytes(less, own);
  return { info: own, bytes, parity: await compare(bytes, own) };
}

/**
 * Convolutions of the encoder and the decoder in bytes. The first one stays as it is, because it sees single levels of grey;
 * so does g_ρ, because similarities are what γ was chosen for.
 */
const inNetwork = ({ path }: Node): boolean => /^(encoder\/layer|decoder)/.test(path);

async function inBytes(graph: Graph, info: ModelInfo, runtime: Runtime, calibration: Dataset): Promise<Graph> {
  const ranges = await rangesOver(runtime, valuesInBytes(graph, inNetwork), calibration, info.height);
  return quantiseConvs(graph, inNetwork, ranges);
}
