import type { Dataset } from "../../data/datasets/dataset.js";
import type { RgbImage } from "../../data/images/tensors.js";
import type { Graph } from "../../engine/graph/graph.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { modelBytes } from "../model/modelBytes.js";
import { type BaselineInfo, imageProgram, type ModelInfo, signatureOf } from "../model/modelInfo.js";
import {
  compareModel,
  type ModelPrediction,
  type Parity,
  predictionOf,
  type Reference,
  requireParity,
} from "./parity.js";
import { parityImages } from "./parityImages.js";

/** A model that gives the output of evaluation. */
export interface BuiltModel<Info> {
  readonly graph: Graph;
  readonly info: Info;
  readonly bytes: Uint8Array;
  readonly parity: Parity;
  /** Compare another file of the same model on the same images. */
  compare(bytes: Uint8Array, info: Info): Promise<Parity>;
}

export interface ModelParts<Info> {
  /** From image bytes to outputs, with weights inside. */
  readonly graph: Graph;
  readonly info: Info;
  readonly reference: Reference;
  /** What it is compared with, for messages. */
  readonly name: string;
}

/** Where a file is compared with evaluation: on the CPU, and on another device where one was named. */
export interface Comparing {
  readonly runtime: Runtime;
  readonly device: Runtime | null;
}

/** Another device adds up in another order: differences as between the ops and PyTorch. */
const DEVICE_TOLERANCE = 1e-3;

/** The ONNX file of a graph, compared with evaluation on images of the source at several sizes. Nothing is written. */
export async function buildModel<Info extends ModelInfo | BaselineInfo>(
  { runtime, device }: Comparing,
  { graph, info, reference, name }: ModelParts<Info>,
  source: Dataset,
): Promise<BuiltModel<Info>> {
  const bytes = modelBytes(graph, info);
  const images = await parityImages(source, info.height);
  const compared = async (on: Runtime, model: Pick<BuiltModel<Info>, "bytes" | "info">): Promise<Parity> => {
    const program = await on.load(model.bytes, signatureOf(model.info));
    const loaded = imageProgram(program, model.info, "the exported model");
    const predict = (image: RgbImage): Promise<ModelPrediction> => predictionOf(loaded, image);
    return compareModel(predict, runtime, reference, images).finally(() => program.close());
  };
  const parity = await compared(runtime, { bytes, info });
  requireParity(parity, name);
  if (device !== null) {
    const allowed = Math.max(DEVICE_TOLERANCE, reference.allowed);
    requireParity({ ...(await compared(device, { bytes, info })), allowed }, `${name} on ${device.device}`);
  }
  const compare = async (other: Uint8Array, of: Info): Promise<Parity> => ({
    ...(await compared(runtime, { bytes: other, info: of })),
    allowed: null,
  });
  return { graph, info, bytes, parity, compare };
}
