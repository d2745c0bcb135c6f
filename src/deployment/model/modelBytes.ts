import type { Graph } from "../../engine/graph/graph.js";
import { openBytes } from "../../inference/deployedProgram.js";
import { type BaselineInfo, type ModelInfo, metadataOf, signatureOf } from "./modelInfo.js";

/** The ONNX file of a graph. */
export const modelBytes = (graph: Graph, info: ModelInfo | BaselineInfo): Uint8Array =>
  openBytes(graph, signatureOf(info), metadataOf(info));
