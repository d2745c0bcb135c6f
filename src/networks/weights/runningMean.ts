import { float32, floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { invariant } from "../../errors.js";

/**
 * The mean of networks that were met one after the other, each counting half and all before it the other half: weights of one
 * shape, which began with the same weights, or their mean is no network.
 */
export const runningMean = (networks: readonly Tensors[]): Tensors => networks.reduce(halfway);

const halfway = (mean: Tensors, next: Tensors): Tensors =>
  Object.fromEntries(
    Object.entries(mean).map(([name, tensor]) => {
      const other = next[name];
      invariant(other !== undefined, `one network has "${name}", another has not`);
      const values = floats(other, name);
      return [
        name,
        float32(
          tensor.shape,
          floats(tensor, name).map((value, i) => (value + values[i]!) / 2),
        ),
      ];
    }),
  );
