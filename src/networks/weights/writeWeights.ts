import { floats, type HostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { writeSafetensors } from "../../engine/tensor/safetensors.js";
import { sameShape } from "../../engine/tensor/shape.js";
import { UserError } from "../../platform/errors.js";
import type { Param } from "../layers/scope.js";

/**
 * A network's weights and running statistics as a safetensors file, by the names of segmentation_models.pytorch.
 *
 * `state` may hold more, such as an optimiser's memory: that stays out. PyTorch's loaders look for the `format` in the metadata.
 */
export function writeWeights(
  params: readonly Param[],
  state: Tensors,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const tensors: Record<string, HostTensor> = {};
  for (const { path, shape } of params) {
    const tensor = state[path];
    floats(tensor, path);
    if (!sameShape(tensor!.shape, shape)) {
      throw new UserError(`cannot save "${path}": it is [${tensor!.shape.join(", ")}], wanted [${shape.join(", ")}]`);
    }
    tensors[path] = tensor!;
  }
  return writeSafetensors(tensors, { format: "pt", ...metadata });
}
