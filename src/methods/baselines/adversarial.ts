import { gradients } from "../../engine/autodiff/gradients.js";
import { constant, type Value } from "../../engine/graph/value.js";
import { div, sign } from "../../engine/ops/elementwise.js";
import { float32, floats, type HostTensor } from "../../engine/tensor/hostTensor.js";

/** Why methods on changed images are not exported. */
export const GRADIENT_NEEDED = "it needs a gradient with respect to the image, and a second pass";

/**
 * Which way each number of the images must go for the objective to rise, in units of the images before they were normalised:
 * sign ∇ objective / σ. The objective is a function of `images`; `deviation` is what each channel was divided by.
 */
export function rising(images: Value, objective: Value, deviation: readonly number[]): Value {
  const [slope] = gradients(objective, [images]);
  return div(sign(slope!), constant(float32([1, deviation.length, 1, 1], deviation)));
}

/** x̃ = x - ε · rising */
export function changed(images: HostTensor, direction: HostTensor, epsilon: number): HostTensor {
  const towards = floats(direction, "direction");
  return float32(
    images.shape,
    floats(images, "images").map((value, i) => value - epsilon * towards[i]!),
  );
}
