import type { RgbImage } from "../../data/images/tensors.js";
import { readModel } from "../../engine/onnx/readModel.js";
import { MODEL_OUTPUT } from "../../engine/runtime/ortProgram.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { imageOutputs } from "../../inference/imageOutputs.js";
import { UserError } from "../../platform/errors.js";
import { readRegularFile } from "../../platform/files.js";
import { modelFile } from "./modelFile.js";
import { infoOf, type ModelInfo, signatureOf } from "./modelInfo.js";

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
  /** [H, W, K + 1], the distribution of Eq. 4, where the model gives it; the last class is "unknown". */
  readonly probabilities?: Float32Array;
}

/** An exported model, ready to look at images of any size. */
export class DeployedModel {
  readonly info: ModelInfo;
  readonly #program: Program;

  private constructor(info: ModelInfo, program: Program) {
    this.info = info;
    this.#program = program;
  }

  static async read(runtime: Runtime, file: string): Promise<DeployedModel> {
    const path = modelFile(file);
    return DeployedModel.open(runtime, await readRegularFile(path, MOST_BYTES), path);
  }

  static async open(runtime: Runtime, bytes: Uint8Array, file: string): Promise<DeployedModel> {
    const info = infoOf(readModel(bytes, file).metadata, file);
    return new DeployedModel(info, await runtime.load(bytes, signatureOf(info)));
  }

  async predict(image: RgbImage): Promise<Prediction> {
    const answers = await imageOutputs(this.#program, image, this.info.height);
    requireValues("class", answers.class!.data as Uint8Array, this.info.classes.length - 1);
    requireValues("certain", answers.certain!.data as Uint8Array, 1);
    return {
      width: image.width,
      height: image.height,
      predicted: answers.class!.data as Uint8Array,
      similarity: floats(answers.similarity, "similarity"),
      certain: answers.certain!.data as Uint8Array,
      ...(this.info.probabilities && { probabilities: floats(answers.probabilities, "probabilities") }),
    };
  }

  close(): Promise<void> {
    return this.#program.close();
  }
}

/** Larger models exist, but not of these networks. */
const MOST_BYTES = 2 ** 30;

/** A model of somebody's may answer with anything. */
function requireValues(name: string, values: Uint8Array, most: number): void {
  const wrong = values.find((value) => value > most);
  if (wrong === undefined) return;
  throw new UserError(`the model gives ${wrong} as "${name}" of a pixel, at most ${most} means anything`, {
    hint: "gssl export writes models that do not",
    code: MODEL_OUTPUT,
  });
}

/** The share of an image's pixels that is certain. */
export function certainShare({ certain }: Pick<Prediction, "certain">): number {
  let count = 0;
  for (let i = 0; i < certain.length; i++) count += certain[i]!;
  return count / certain.length;
}
