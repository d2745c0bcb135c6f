import { afterAll, beforeAll, expect, test } from "vitest";
import { exportedModel } from "../../test/exportedModel.js";
import type { RgbImage } from "../data/images/tensors.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Program } from "../engine/runtime/runtime.js";
import { float32, hostTensor } from "../engine/tensor/hostTensor.js";
import { deployedSignature } from "../methods/parts/deployedSignature.js";
import { type ImageProgram, imageOutputs } from "./imageOutputs.js";

const image: RgbImage = { rgb: new Uint8Array(64 * 64 * 3), width: 64, height: 64 };

/** A model whose outputs are one number each, but for the last pixel of one of them. */
function giving(output: string, value: number, score: ImageProgram["score"]): ImageProgram {
  const usual: Record<string, number> = {
    class: 1,
    certain: 1,
    similarity: 0.5,
    uncertainty: -40,
    probabilities: 0.1,
    distance: 2,
  };
  const program: Program = {
    run: async () =>
      Object.fromEntries(
        Object.entries(usual).map(([name, each]) => {
          const made = name === "class" || name === "certain" ? new Uint8Array(64 * 64) : new Float32Array(64 * 64);
          made.fill(each);
          if (name === output) made[made.length - 1] = value;
          const shape = [1, 64, 64];
          return [name, made instanceof Uint8Array ? hostTensor("uint8", shape, made) : float32(shape, made)];
        }),
      ),
    close: async () => {},
  };
  return { program, name: "m.onnx", height: 64, classes: 5, score };
}

test.each([
  ["class", 5, "0 to 4"],
  ["certain", 2, "0 to 1"],
  ["similarity", Number.NaN, "-1 to 1"],
  ["similarity", Number.NEGATIVE_INFINITY, "-1 to 1"],
  ["similarity", 1.5, "-1 to 1"],
  ["uncertainty", Number.NaN, "a finite number"],
  ["uncertainty", Number.POSITIVE_INFINITY, "a finite number"],
  ["probabilities", Number.NaN, "0 to 1"],
  ["distance", Number.NaN, "a finite number"],
] as const)("%s: %d in one pixel of an image is an error that names model and image", async (output, value, wanted) => {
  await expect(imageOutputs(giving(output, value, "cosine"), image, "a.jpg")).rejects.toMatchObject({
    message: `m.onnx: the model gives ${value} as "${output}" of a pixel of a.jpg, wanted ${wanted}`,
    code: "model-output",
  });
});

test("a cosine may be negative, a probability may not; rounding may go a little further than 1", async () => {
  await expect(imageOutputs(giving("similarity", -0.9, "softmax"), image)).rejects.toThrow("wanted 0 to 1");
  for (const value of [-0.9, -1, 1.0000001]) {
    const { similarity } = await imageOutputs(giving("similarity", value, "cosine"), image);
    expect(similarity!.data.at(-1)).toBe(Math.fround(value));
  }
});

let program: Program;
beforeAll(async () => {
  program = await nodeRuntime({ threads: 1 }).load(await exportedModel(), deployedSignature);
});
afterAll(() => program.close());

test("a large image is scaled outside of the model, in little memory, and gets the same answer but for rounding", async () => {
  const [width, height] = [4096, 2560];
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < rgb.length; i++) rgb[i] = 127 + 90 * Math.sin(i / 40_000) + 30 * Math.sin(i / 999);
  const given: number[][] = [];
  const watched: Program = {
    ...program,
    run(feeds) {
      given.push([...feeds.image!.shape]);
      return program.run(feeds);
    },
  };
  const found = await imageOutputs(
    { program: watched, name: "m", height: 64, classes: 5, score: "cosine" },
    { rgb, width, height },
  );
  expect(given).toEqual([[1, 64, 102, 3]]);
  const wanted = await program.run({ image: hostTensor("uint8", [1, height, width, 3], rgb) });
  for (const [name, { shape, data }] of Object.entries(wanted)) {
    expect(found[name]!.shape).toEqual(shape);
    let apart = 0;
    for (let i = 0; i < data.length; i++) if (Math.abs(Number(data[i]) - Number(found[name]!.data[i])) > 0.02) apart++;
    expect(apart / data.length, name).toBeLessThan(0.01);
  }
});
