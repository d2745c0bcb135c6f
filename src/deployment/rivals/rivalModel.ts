import type { Picture } from "../../data/images/tensors.js";
import { readModel } from "../../engine/onnx/readModel.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import type { Judgement } from "../../evaluation/panels/panel.js";
import { rivalSignature } from "../../methods/deployed.js";
import { type RivalInfo, rivalInfoOf } from "../model/modelInfo.js";
import { pictureAnswers } from "../model/pictureAnswers.js";

/** An exported rival, ready to look at pictures of any size. */
export class RivalModel {
  readonly info: RivalInfo;
  readonly #program: Program;

  private constructor(info: RivalInfo, program: Program) {
    this.info = info;
    this.#program = program;
  }

  static async open(runtime: Runtime, bytes: Uint8Array, file: string): Promise<RivalModel> {
    const info = rivalInfoOf(readModel(bytes, file).metadata, file);
    return new RivalModel(info, await runtime.load(bytes, rivalSignature));
  }

  async look(picture: Picture): Promise<Judgement> {
    const answers = await pictureAnswers(this.#program, picture);
    return {
      predicted: answers.class!.data as Uint8Array,
      uncertainty: floats(answers.uncertainty, "uncertainty"),
    };
  }

  close(): Promise<void> {
    return this.#program.close();
  }
}
