import { constant, input, type Value } from "../engine/graph/value.js";
import { cropLike, enlarge, mirrorPad } from "../engine/ops/dynamicShape.js";
import { cast, exp, maximum, mul, number, sub } from "../engine/ops/elementwise.js";
import { max, sum } from "../engine/ops/reduce.js";
import { transpose } from "../engine/ops/shaping.js";
import { float32 } from "../engine/tensor/hostTensor.js";
import { MULTIPLE } from "../networks/models/anySize.js";
import { DECODER_STRIDE } from "../networks/models/deeplab.js";

/** Mean and standard deviation of red, green and blue that a network wants taken out; of values between 0 and 1. */
export interface Normalisation {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** What a deployed model is given: bytes [1, H, W, 3]. */
export const imageInput = ([height, width]: readonly [number, number]): Value =>
  input("image", { dtype: "uint8", shape: [1, height, width, 3] });

/** Bytes [1, H, W, 3] as the network takes them: [1, 3, H', W'], continued by their mirror image to a size that suits it. */
export function normalised(image: Value, { mean, deviation }: Normalisation): Value {
  const each = (values: readonly number[]): Value => constant(float32([1, 3, 1, 1], values));
  const planes = transpose(cast(image, "float32"), [0, 3, 1, 2]);
  const centred = sub(planes, each(mean.map((value) => 255 * value)));
  // The factor comes last, where the first convolution takes it in.
  return mul(mirrorPad(centred, 2, MULTIPLE), each(deviation.map((value) => 1 / (255 * value))));
}

/**
 * Scores [1, K, h, w] at full size with channels last, [1, H', W', K]: resizing, the largest of K and their sum are all two to
 * four times faster that way round.
 */
export const fullSize = (scores: Value): Value => enlarge(channelsLast(scores), 1, DECODER_STRIDE, "corners");

const channelsLast = (scores: Value): Value => transpose(scores, [0, 2, 3, 1]);

/** A map [1, H', W'] without what was mirrored: [1, H, W]. */
export const cropped = (map: Value, image: Value): Value => cropLike(map, 1, image, 1);

/**
 * Exponentials of this much and of its opposite are far from the ends of float32, where processors take ten times as long over the
 * smallest numbers.
 */
const LARGEST_EXPONENT = 60;

/** Scores [1, K, h, w] whose exponentials are in range: without the largest of each pixel, unless all are known to be at most `bound`. */
function inRange(scores: Value, bound: number): Value {
  if (bound <= LARGEST_EXPONENT) return scores;
  return maximum(sub(scores, max(scores, [1], { keep: true })), number(-LARGEST_EXPONENT));
}

/**
 * The softmax of scores [1, K, h, w] that are at most `bound`, enlarged to [1, H', W', K], but for the division by `total` [1, H',
 * W']: only one class of each pixel is asked for.
 *
 * What is taken out to stay in range is taken out before enlarging, where there are a sixteenth of the pixels: enlarging is
 * linear, so that it is the same for all classes. With exponentials for all that follows nothing else is asked of the enlarged
 * scores, and the runtime overwrites them.
 */
export function exponentials(scores: Value, bound = Infinity): { readonly shares: Value; readonly total: Value } {
  const shares = exp(fullSize(inRange(scores, bound)));
  return { shares, total: sum(shares, [3]) };
}
