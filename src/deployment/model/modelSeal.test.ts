import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { exportedBaseline, exportedModel } from "../../../test/exportedModel.js";
import { withFolder } from "../../../test/folders.js";
import { readModel } from "../../engine/onnx/readModel.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { sha256 } from "../../platform/seal.js";
import { Answerer } from "../../server/process/answerer.js";
import { Segmenter } from "../segmenter.js";
import { DeployedModel } from "./deployedModel.js";
import { requireSealed } from "./modelSeal.js";

let bytes: Uint8Array;
beforeAll(async () => {
  bytes = await exportedModel();
});

const flipped = (at: number): Uint8Array => {
  const copy = bytes.slice();
  copy[at]! ^= 1 << (at % 8);
  return copy;
};

test("one flipped bit anywhere in a model is noticed, and so is a byte less or more", async () => {
  await requireSealed(bytes, "m.onnx");
  await requireSealed(await exportedBaseline(), "m.onnx");
  const places = Array.from({ length: 200 }, (_, i) => Math.floor((i * bytes.length) / 200));
  for (const at of [...places, bytes.length - 1, bytes.length - 70, bytes.length - 74]) {
    await expect(requireSealed(flipped(at), "m.onnx"), `${at}`).rejects.toThrow("m.onnx is damaged");
  }
  for (const other of [bytes.subarray(0, -1), bytes.subarray(1), new Uint8Array([...bytes, 0]), new Uint8Array(0)]) {
    await expect(requireSealed(other, "m.onnx")).rejects.toThrow("m.onnx is damaged");
  }
});

test("a flipped bit of a weight is refused by all that opens models", async () => {
  // Weights are most of the file: the middle of it is one.
  const damaged = flipped(bytes.length >> 1);
  expect(readModel(damaged, "m.onnx").metadata.gamma).toBe("0.09");
  const refused = "damaged: its bytes are not those that were sealed";
  await expect(Segmenter.open(damaged, { threads: 1 })).rejects.toThrow(refused);
  await expect(DeployedModel.open(nodeRuntime(), damaged, "m.onnx")).rejects.toThrow(refused);
  const settings = { threads: 1, mostPixels: 100_000 };
  await expect(Answerer.open({ name: "m", file: "m.onnx", bytes: damaged }, settings)).rejects.toThrow(refused);
});

test("a model.json of another model beside the file is said", () =>
  withFolder(async (root) => {
    const [file, beside] = [join(root, "model.onnx"), join(root, "model.json")];
    await writeFile(file, bytes);
    const open = async (): Promise<void> => (await DeployedModel.read(nodeRuntime(), file)).close();
    await open();
    await writeFile(beside, JSON.stringify({ file: "model.onnx", sha256: sha256(await readFile(file)), gamma: 1 }));
    await open();
    await writeFile(beside, JSON.stringify({ file: "other.onnx", sha256: "0" }));
    await open();
    await writeFile(beside, JSON.stringify({ file: "model.onnx", sha256: sha256("another") }));
    await expect(open()).rejects.toThrow(/model\.onnx: its sha256 is .*model\.json describes .*one of them is another/);
    await writeFile(beside, "{");
    await expect(open()).rejects.toThrow("model.json: is not JSON");
  }));

test("a height that no network sees is refused before anything is computed", async () => {
  for (const height of [15, 8193, 100_000]) {
    const model = await exportedModel({ height });
    await expect(Segmenter.open(model)).rejects.toThrow(
      `its height is ${height}, wanted a whole number from 16 to 8192`,
    );
    await expect(DeployedModel.open(nodeRuntime(), model, "m.onnx")).rejects.toThrow("m.onnx is not a model");
  }
});
