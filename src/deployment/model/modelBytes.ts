import type { Graph } from "../../engine/graph/graph.js";
import { openBytes } from "../../inference/deployedProgram.js";
import { sha256 } from "../../platform/seal.js";
import { type BaselineInfo, type ModelInfo, metadataOf, signatureOf } from "./modelInfo.js";
import { withSeal } from "./modelSeal.js";

/** The ONNX file of a graph. */
export function modelBytes(graph: Graph, info: ModelInfo | BaselineInfo): Uint8Array {
  const bytes = openBytes(graph, signatureOf(info), metadataOf(info));
  return withSeal(bytes, sha256(bytes));
}
