import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { input } from "../../engine/graph/value.js";
import { writeModel } from "../../engine/onnx/writeModel.js";
import { exp } from "../../engine/ops/elementwise.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { float32, hostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { DeployedModel } from "../model/deployedModel.js";
import { type ModelInfo, metadataOf } from "../model/modelInfo.js";
import { predictImages } from "./predictImages.js";

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
  probabilities: false,
  unseen: [],
};

/** A model that gives every pixel these values. */
async function model(values: { class: number; certain: number }): Promise<DeployedModel> {
  const runtime: Runtime = {
    device: "none",
    load: async () => ({
      async run({ image }): Promise<Tensors> {
        const [, height, width] = image!.shape as [number, number, number];
        const pixels = height * width;
        const map = (value: number) => hostTensor("uint8", [height, width], new Uint8Array(pixels).fill(value));
        const similarity = float32([height, width], new Float32Array(pixels).fill(0.7));
        return { class: map(values.class), certain: map(values.certain), similarity };
      },
      close: async () => {},
    }),
  };
  const x = input("x", { dtype: "float32", shape: [2] });
  const { bytes } = writeModel({ outputs: { y: exp(x) } }, { metadata: metadataOf(info) });
  return DeployedModel.open(runtime, bytes, "m.onnx");
}

async function predicted(root: string, values: { class: number; certain: number }) {
  const image = await testImage(48, 32).png().toBuffer();
  await writeFiles(root, { "a.png": image, "b.png": Buffer.from("broken"), "c.png": image });
  const inputs = ["a", "b", "c"].map((id) => ({ kind: "image" as const, id, file: join(root, `${id}.png`) }));
  return predictImages({ model: await model(values), name: "m.onnx", inputs, to: join(root, "out"), height: 32 });
}

test("a broken image is passed over by name", () =>
  withFolder(async (root) => {
    const { images, skipped } = await predicted(root, { class: 0, certain: 1 });
    expect(images.map(({ id, certain }) => [id, certain])).toEqual([
      ["a", 1],
      ["c", 1],
    ]);
    expect(skipped.map(({ file }) => file)).toEqual([join(root, "b.png")]);
  }));

test("F13: what cannot be written ends it at the first image, for all others would fail as well", () =>
  withFolder(async (root) => {
    await writeFiles(root, { "out/x": Buffer.from("") });
    await writeFile(join(root, "out", "class"), "a file where a folder is wanted");
    await expect(predicted(root, { class: 0, certain: 1 })).rejects.toThrow(`${join(root, "out", "class")}: is a file`);
  }));

test("F13: a model that answers what means nothing is refused", () =>
  withFolder(async (root) => {
    await expect(predicted(root, { class: 0, certain: 200 })).rejects.toThrow('the model gives 200 as "certain"');
    await expect(predicted(root, { class: 1, certain: 1 })).rejects.toThrow('the model gives 1 as "class"');
  }));
