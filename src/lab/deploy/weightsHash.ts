import { createHash } from "node:crypto";
import type { Tensors } from "../../engine/tensor/hostTensor.js";

/** sha256 of all tensors, whatever their order. */
export function weightsHash(weights: Tensors): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(weights).sort()) {
    const { data } = weights[name]!;
    hash.update(`${name}\n`).update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  return hash.digest("hex");
}
