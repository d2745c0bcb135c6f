import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { input } from "../src/engine/graph/value.js";
import { float32, floats, type Tensors } from "../src/engine/tensor/hostTensor.js";
import { readSafetensors, writeSafetensors } from "../src/engine/tensor/safetensors.js";
import { inferencePass } from "../src/networks/layers/pass.js";
import { Scope } from "../src/networks/layers/scope.js";
import { DeepLab, type DeepLabOptions } from "../src/networks/models/deeplab.js";
import { describeMatch } from "../src/networks/weights/describeMatch.js";
import { loadWeights } from "../src/networks/weights/matchWeights.js";
import { readWeights } from "../src/networks/weights/readWeights.js";
import { evaluateOnce, relativeDistance } from "./expectGradient.js";
import { keyedUniform } from "./fixtures/torch/keyed.js";

/** The whole way of a user with weights from PyTorch: bytes, names, network, answer. fixtures/torch/README.md says how they were made. */
const folder = new URL("fixtures/torch/", import.meta.url);
const fixture = (name: string): Uint8Array => readFileSync(new URL(name, folder));

async function answer(
  options: DeepLabOptions,
  file: Uint8Array,
  image: { readonly name: string; readonly shape: readonly number[] },
): Promise<{ logits: Float32Array; report: string[] }> {
  const scope = new Scope();
  const network = new DeepLab(scope, { ...options, asppDropout: 0 });
  const { tensors, report } = loadWeights(scope.params, await readWeights(file, "weights"), "weights");
  const images = input("images", { dtype: "float32", shape: image.shape });
  const logits = network.head(network.features(images, inferencePass), inferencePass);
  const feeds: Tensors = {
    ...tensors,
    images: float32(image.shape, keyedUniform(image.name, image.shape, -2, 2)),
  };
  return { logits: floats((await evaluateOnce({ logits }, feeds)).logits, "logits"), report: describeMatch(report) };
}

test("a narrow network from a .pth written by PyTorch gives the output of PyTorch, to 1e-4", async () => {
  const narrow = { classes: 5, width: 0.05, features: 8 };
  const image = { name: "narrow/image", shape: [1, 3, 48, 64] };
  const { logits, report } = await answer(narrow, fixture("checkpoints/narrow.pth"), image);
  const { tensors } = readSafetensors(fixture("checkpoints/expected.safetensors"), "expected");
  expect(relativeDistance(logits, floats(tensors["narrow/logits"], "logits"))).toBeLessThan(1e-4);
  expect(report).toEqual(["weights: 152 of 152 tensors loaded", "  whole numbers, e.g. counters, not needed: 29"]);
});

test("the full network from safetensors in smp's names, wrapped, gives the output of PyTorch, to 1e-4", async () => {
  const recorded = JSON.parse(new TextDecoder().decode(fixture("network.json")));
  const { image: name, shape } = recorded.outputStrides["16"].input;
  const named: { name: string; shape: number[]; low: number; high: number }[] = [
    ...recorded.parameters,
    ...recorded.buffers,
  ];
  const weights = named.map(({ name, shape, low, high }) => [
    `module.${name}`,
    float32(shape, keyedUniform(name, shape, low, high)),
  ]);
  const file = writeSafetensors(Object.fromEntries(weights));
  const { logits } = await answer({ classes: recorded.classes }, file, { name, shape });
  const { tensors } = readSafetensors(fixture("network.safetensors"), "network");
  expect(relativeDistance(logits, floats(tensors["os16/eval_logits"], "logits"))).toBeLessThan(1e-4);
});
