import type { RgbImage } from "../../data/images/tensors.js";
import { readModel } from "../../engine/onnx/readModel.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import type { Prediction } from "../../evaluation/predictors/predictor.js";
import { imageOutputs } from "../../inference/imageOutputs.js";
import { baselineSignature } from "../../methods/deployedSignature.js";
import { type BaselineInfo, baselineInfoOf } from "../model/modelInfo.js";

/** An exported baseline, ready to look at images of any size. */
export class BaselineModel {
  readonly info: BaselineInfo;
  readonly #program: Program;

  private constructor(info: BaselineInfo, program: Program) {
    this.info = info;
    this.#program = program;
  }

  static async open(runtime: Runtime, bytes: Uint8Array, file: string): Promise<BaselineModel> {
    const info = baselineInfoOf(readModel(bytes, file).metadata, file);
    return new BaselineModel(info, await runtime.load(bytes, baselineSignature));
  }

  async predict(image: RgbImage): Promise<Prediction> {
    const answers = await imageOutputs(this.#program, image);
    return {
      predicted: answers.class!.data as Uint8Array,
      uncertainty: floats(answers.uncertainty, "uncertainty"),
    };
  }

  close(): Promise<void> {
    return this.#program.close();
  }
}
