import type { Dataset } from "../../data/datasets/dataset.js";
import type { Graph } from "../../engine/graph/graph.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { type BaselineInfo, type ModelInfo, modelBytes, signatureOf } from "../model/modelInfo.js";
import { compareModel, type Parity, predictionOf, type Reference, requireParity } from "./parity.js";
import { parityImages } from "./parityImages.js";

/** A model that gives the output of evaluation. */
export interface BuiltModel<Info> {
  readonly graph: Graph;
  readonly info: Info;
  readonly bytes: Uint8Array;
  readonly parity: Parity;
}

export interface ModelParts<Info> {
  /** From image bytes to outputs, with weights inside. */
  readonly graph: Graph;
  readonly info: Info;
  readonly reference: Reference;
  /** What it is compared with, for messages. */
  readonly name: string;
}

/** The ONNX file of a graph, compared with evaluation on images of the source at several sizes. Nothing is written. */
export async function buildModel<Info extends ModelInfo | BaselineInfo>(
  runtime: Runtime,
  { graph, info, reference, name }: ModelParts<Info>,
  source: Dataset,
): Promise<BuiltModel<Info>> {
  const bytes = modelBytes(graph, info);
  const program = await runtime.load(bytes, signatureOf(info));
  try {
    const images = await parityImages(source, info.height);
    const parity = await compareModel((image) => predictionOf(program, image), runtime, reference, images);
    requireParity(parity, name);
    return { graph, info, bytes, parity };
  } finally {
    await program.close();
  }
}
