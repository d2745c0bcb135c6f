import { type HostTensor, hostTensor, type Tensors } from "../tensor/hostTensor.js";
import type { Signature } from "./runtime.js";

/** WebGPU has no int64: whole numbers (labels, classes, counts) are int32 there, and int64 for everybody outside. */

/** An int64 tensor in int32: its lower half. Ours are far below 2^31. */
export function narrowTensor(tensor: HostTensor): HostTensor {
  const { dtype, shape, data } = tensor;
  if (dtype !== "int64") return tensor;
  const halves = new Int32Array(data.buffer, data.byteOffset, 2 * data.length);
  return hostTensor(
    "int32",
    shape,
    Int32Array.from({ length: data.length }, (_, i) => halves[2 * i]!),
  );
}

export const narrowAll = (tensors: Tensors): Tensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, narrowTensor(tensor)]));

/** Results as their signature has them. */
export const widenAll = (results: Tensors, { outputs }: Signature): Record<string, HostTensor> =>
  Object.fromEntries(
    Object.entries(results).map(([name, tensor]) => {
      const { shape, data } = tensor;
      const isWide = outputs.get(name)?.dtype === "int64" && data instanceof Int32Array;
      return [name, isWide ? hostTensor("int64", shape, BigInt64Array.from(data, BigInt)) : tensor];
    }),
  );
