/**
 * ONNX Runtime for a program without one: a line of JSON with the shape of an image, its bytes behind it, and the same for each output that
 * is asked for. With `metadata` as its third word it prints the metadata of the model.
 */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { readModel } from "../../dist/engine/onnx/readModel.js";

const [file, what] = process.argv.slice(2);
if (what === "metadata") process.stdout.write(JSON.stringify(readModel(await readFile(file), file).metadata));
else {
  const given = await buffer(process.stdin);
  const end = given.indexOf("\n");
  const { shape, outputs } = JSON.parse(given.subarray(0, end).toString());
  const session = await InferenceSession.create(file);
  const image = new Tensor("uint8", Uint8Array.from(given.subarray(end + 1)), shape);
  const found = await session.run({ image }, outputs);
  for (const name of outputs) {
    const { data, dims, type } = found[name];
    process.stdout.write(`${JSON.stringify({ shape: dims, type })}\n`);
    process.stdout.write(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
}
