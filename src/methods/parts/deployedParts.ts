import { within } from "../../engine/graph/path.js";
import { constant, input, type Value } from "../../engine/graph/value.js";
import { nearestPlaces, scaleToHeight } from "../../engine/ops/dynamicScale.js";
import { enlarge, mirrorPad } from "../../engine/ops/dynamicShape.js";
import { exp, maximum, mul, number, sub } from "../../engine/ops/elementwise.js";
import { gather } from "../../engine/ops/gather.js";
import { max, sum } from "../../engine/ops/reduce.js";
import { transpose } from "../../engine/ops/shaping.js";
import { float32 } from "../../engine/tensor/hostTensor.js";
import { MULTIPLE } from "../../networks/models/anySize.js";
import { DECODER_STRIDE } from "../../networks/models/deeplab.js";

/** Mean and standard deviation of red, green and blue that a network expects to be taken out; of values between 0 and 1. */
export interface Normalisation {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** How the network of a deployed model sees images. */
export interface Eye {
  /** Images are scaled to this height. */
  readonly height: number;
  readonly normalisation: Normalisation;
}

/** An image that a model was given, and the way back from what its network sees of it. */
export interface Seen {
  /** Scaled, normalised, continued by its mirror image to a size that suits networks: [1, 3, H', W']. */
  readonly planes: Value;
  /** A map [1, H', W', …] at the image's own size, [1, H, W, …]: each pixel takes the value of the nearest one that was seen. */
  atOwnSize(map: Value): Value;
}

/** The input of a deployed model, `image`: bytes [1, H, W, 3] of any height and width. The graph is built at one. */
export function imageSeen([h, w]: readonly [number, number], { height, normalisation }: Eye): Seen {
  const image = input("image", { dtype: "uint8", shape: [1, h, w, 3] });
  const levels = within("image", () => scaleToHeight(image, height));
  const [rows, columns] = within("answer", () => [
    nearestPlaces(levels, 2, image, 1),
    nearestPlaces(levels, 3, image, 2),
  ]);
  return {
    planes: within("image", () => normalised(levels, normalisation)),
    // Columns first: there are fewer rows then, and those are copied whole.
    atOwnSize: (map) => gather(gather(map, columns!, 2), rows!, 1),
  };
}

/** Levels [1, 3, H, W] from 0 to 255 as the network takes them: [1, 3, H', W']. */
function normalised(levels: Value, { mean, deviation }: Normalisation): Value {
  const each = (values: readonly number[]): Value => constant(float32([1, 3, 1, 1], values));
  const centred = sub(levels, each(mean.map((value) => 255 * value)));
  // The factor comes last, where the first convolution takes it in.
  return mul(mirrorPad(centred, 2, MULTIPLE), each(deviation.map((value) => 1 / (255 * value))));
}

/**
 * Scores [1, K, h, w] at full size with channels last, [1, H', W', K]: resizing, the largest of K and their sum are all two to
 * four times faster that way round.
 */
export const fullSize = (scores: Value): Value => enlarge(channelsLast(scores), 1, DECODER_STRIDE, "corners");

const channelsLast = (scores: Value): Value => transpose(scores, [0, 2, 3, 1]);

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
