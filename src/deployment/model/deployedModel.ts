import type { RgbImage } from "../../data/images/tensors.js";
import { readModel } from "../../engine/onnx/readModel.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { type ImageProgram, imageOutputs } from "../../inference/imageOutputs.js";
import { readRegularFile } from "../../platform/files.js";
import { requireDescribed } from "./describedModel.js";
import { modelFile } from "./modelFile.js";
import { imageProgram, infoOf, type ModelInfo, signatureOf } from "./modelInfo.js";
import { requireSealed } from "./modelSeal.js";

/** What a model says about an image, row by row, at the size of the image. */
export interface Prediction {
  readonly width: number;
  readonly height: number;
  /** Places in the class list. */
  readonly predicted: Uint8Array;
  /** The larger the surer. */
  readonly similarity: Float32Array;
  /** 1 where similarity is at least γ, else 0. */
  readonly certain: Uint8Array;
  /** How far the image is from those of the training, 1 at the limit. */
  readonly distance: number;
  /** [H, W, K + 1], the distribution of Eq. 4, where the model gives it; the last class is "unknown". */
  readonly probabilities?: Float32Array;
}

/** An exported model, ready to look at images of any size. */
export class DeployedModel {
  readonly info: ModelInfo;
  readonly #image: ImageProgram;

  private constructor(info: ModelInfo, image: ImageProgram) {
    this.info = info;
    this.#image = image;
  }

  /** Open a file. Where a model.json beside it describes another file, one of the two is not what it seems. */
  static async read(runtime: Runtime, file: string): Promise<DeployedModel> {
    const path = modelFile(file);
    const bytes = await readRegularFile(path, MOST_BYTES);
    await requireDescribed(bytes, path);
    return DeployedModel.open(runtime, bytes, path);
  }

  static async open(runtime: Runtime, bytes: Uint8Array, file: string): Promise<DeployedModel> {
    const info = infoOf(readModel(bytes, file).metadata, file);
    await requireSealed(bytes, file);
    const program = await runtime.load(bytes, signatureOf(info));
    return new DeployedModel(info, imageProgram(program, info, file));
  }

  /** `called` is what messages call the image. */
  async predict(image: RgbImage, called?: string): Promise<Prediction> {
    const answers = await imageOutputs(this.#image, image, called);
    return {
      width: image.width,
      height: image.height,
      predicted: answers.class!.data as Uint8Array,
      similarity: floats(answers.similarity, "similarity"),
      certain: answers.certain!.data as Uint8Array,
      distance: floats(answers.distance, "distance")[0]!,
      ...(this.info.probabilities && { probabilities: floats(answers.probabilities, "probabilities") }),
    };
  }

  close(): Promise<void> {
    return this.#image.program.close();
  }
}

/** Larger models exist, but not of these networks. */
const MOST_BYTES = 2 ** 30;

/** The share of an image's pixels that is certain. */
export function certainShare({ certain }: Pick<Prediction, "certain">): number {
  let count = 0;
  for (let i = 0; i < certain.length; i++) count += certain[i]!;
  return count / certain.length;
}
