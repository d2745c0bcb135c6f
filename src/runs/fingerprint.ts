import { createHash } from "node:crypto";
import type { Tensors } from "../engine/tensor/hostTensor.js";
import { contentHash } from "./config.js";

/** sha256 of names, shapes and numbers: the same for the same tensors, whatever their order and the file they lie in. */
export function fingerprintOf(tensors: Tensors): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(tensors).sort()) {
    const { dtype, shape, data } = tensors[name]!;
    hash.update(`${name} ${dtype}[${shape.join()}]\n`);
    hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  return hash.digest("hex");
}

/** Of several networks that make one prediction together, e.g. an ensemble; of one, its own. */
export const togetherFingerprint = (networks: readonly string[]): string =>
  networks.length === 1 ? networks[0]! : contentHash(networks);
