import { constant, type Value } from "../../engine/graph/value.js";
import { sqrt, square, sub } from "../../engine/ops/elementwise.js";
import { matmul } from "../../engine/ops/matmul.js";
import { mean, min, sum } from "../../engine/ops/reduce.js";
import type { HostTensor } from "../../engine/tensor/hostTensor.js";
import type { EncoderFeatures } from "../../networks/models/resnet.js";

/** What images are compared with: places that the training saw. */
export interface PlacesSeen {
  /** The mean image of each place: [P, C]. */
  readonly means: HostTensor;
  /** Turns a difference from a mean into one whose length is a distance, 1 at the limit: [C, C], to be multiplied from the right. */
  readonly map: HostTensor;
}

/**
 * An image as a few numbers, [1, C]: the mean of each channel of the encoder's first stage. These are responses to edges and colours; what
 * is where plays no part.
 */
export const imageMeans = ({ shallow }: EncoderFeatures): Value => mean(shallow, [2, 3]);

/** How far an image [1, C] is from the nearest place, [1]: a Mahalanobis distance in units of the limit. */
export function imageDistance(image: Value, { means, map }: PlacesSeen): Value {
  const apart = matmul(sub(image, constant(means)), constant(map)); // [P, C]
  return min(sqrt(sum(square(apart), [1])), [0], { keep: true });
}
