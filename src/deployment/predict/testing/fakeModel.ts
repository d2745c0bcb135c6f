import { input } from "../../../engine/graph/value.js";
import { writeModel } from "../../../engine/onnx/writeModel.js";
import { exp } from "../../../engine/ops/elementwise.js";
import type { Runtime } from "../../../engine/runtime/runtime.js";
import { float32, hostTensor, type Tensors } from "../../../engine/tensor/hostTensor.js";
import { sha256 } from "../../../platform/seal.js";
import { DeployedModel } from "../../model/deployedModel.js";
import { type ModelInfo, metadataOf } from "../../model/modelInfo.js";
import { withSeal } from "../../model/modelSeal.js";

const info: ModelInfo = {
  producer: "gamma-ssl",
  precision: "float32",
  classes: [{ name: "road", colour: [1, 2, 3] }],
  height: 32,
  weights: "any",
  training: {},
  score: "softmax",
  temperature: 1,
  gamma: 0.5,
  gammaFrom: "training",
  expectedCertain: { mean: 0.5, deviation: 0.1, lowest: 0.2, images: 1, on: "town" },
  distanceFrom: [{ on: "town", images: 1 }],
  probabilities: false,
  unseen: [],
};

/** The value of every pixel, or that of a pixel of so much red. */
type Value = number | ((red: number) => number);

/** A model that gives pixels these values, and a similarity of 0.7 where none is given. */
export async function fakeModel(
  values: { readonly class: Value; readonly certain: Value; readonly similarity?: number },
  classes: ModelInfo["classes"] = info.classes,
): Promise<DeployedModel> {
  const runtime: Runtime = {
    device: "none",
    load: async () => ({
      async run({ image }): Promise<Tensors> {
        const [, height, width] = image!.shape as [number, number, number];
        const pixels = height * width;
        const map = (value: Value) => {
          const of = (i: number) => (typeof value === "number" ? value : value(Number(image!.data[3 * i])));
          return hostTensor(
            "uint8",
            [height, width],
            Uint8Array.from({ length: pixels }, (_, i) => of(i)),
          );
        };
        const similarity = float32([height, width], new Float32Array(pixels).fill(values.similarity ?? 0.7));
        return { class: map(values.class), certain: map(values.certain), similarity, distance: float32([1], [0.5]) };
      },
      close: async () => {},
    }),
  };
  const x = input("x", { dtype: "float32", shape: [2] });
  const { bytes } = writeModel({ outputs: { y: exp(x) } }, { metadata: metadataOf({ ...info, classes }) });
  return DeployedModel.open(runtime, withSeal(bytes, sha256(bytes)), "m.onnx");
}
