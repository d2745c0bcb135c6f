import { constant, type Value } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { add, maximum, number, scale, square, sub } from "../../engine/ops/elementwise.js";
import { min, sum } from "../../engine/ops/reduce.js";
import { reshape, squeeze } from "../../engine/ops/shaping.js";
import { float32, type Tensors } from "../../engine/tensor/hostTensor.js";
import { describeJitter, type Fitted, inTurn, unseenRemark } from "../parts/fitting.js";
import type { OnePassMethod } from "../parts/method.js";
import { ClassMoments, type Moments, meanOf, overallMean, pixelsOf, seenClasses, tiedScatter } from "./classMoments.js";
import { minus, times, whiteningOf } from "./whitening.js";

/** Share of the mean variance added to every variance (B-7): channels that are always zero have none of their own. */
const SHRINKAGE = 1e-6;

/**
 * FeatDist: squared Mahalanobis distance of the features to the nearest class, with one covariance for all (Lee et al., 2018;
 * B-7). From the penultimate layer alone, without their regression over layers.
 */
export const mahalanobis: OnePassMethod = {
  name: "mahalanobis",
  title: "FeatDist",
  family: "representation",
  network: "source",
  kind: "one-pass",
  fit({ classes, features }) {
    const moments = new ClassMoments({ features, classes: classes.length, spread: "tied" });
    return inTurn([() => moments], () => learned(moments, classes));
  },
  score: ({ features, predicted, enlarge }, fitted) => ({
    predicted,
    uncertainty: squeeze(enlarge(distanceToNearest(features, fitted)), 1),
  }),
};

function learned(moments: Moments, classes: readonly string[]): Fitted {
  const { features } = moments;
  const seen = seenClasses(moments);
  const total = pixelsOf(moments);
  const covariance = tiedScatter(moments).map((value) => value / total);
  const { matrix, jitter } = whiteningOf(covariance, features, { shrinkage: SHRINKAGE });
  const centre = overallMean(moments);
  const means = seen.flatMap((k) => [...times(matrix, minus(meanOf(moments, k), centre))]);
  return {
    tensors: {
      centre: float32([features], Float32Array.from(centre)),
      whitening: float32([features, features], Float32Array.from(matrix)),
      means: float32([seen.length, features], means),
    },
    remarks: [
      ...unseenRemark(classes, seen),
      ...(jitter > SHRINKAGE ? [describeJitter("the covariance", jitter)] : []),
    ],
  };
}

/** min_k (ẑ - μ_k)ᵀ Σ⁻¹ (ẑ - μ_k): features [N, F, h, w] -> [N, 1, h, w]. */
export function distanceToNearest(features: Value, { centre, whitening, means }: Tensors): Value {
  const [seen, f] = means!.shape as [number, number];
  const centred = sub(features, reshape(constant(centre!), [1, f, 1, 1]));
  const white = conv2d(centred, reshape(constant(whitening!), [f, f, 1, 1]));
  // |y - m|² = |y|² - 2y·m + |m|²: one small convolution instead of K differences. Around the mean of all pixels the squares are
  // no larger than the distances between classes, and a whitened pixel is about √F from its own class: few digits are lost.
  const places = constant(means!);
  const towards = conv2d(white, reshape(scale(places, -2), [seen, f, 1, 1]));
  const apart = add(towards, reshape(sum(square(places), [1]), [1, seen, 1, 1]));
  const nearest = add(min(apart, [1], { keep: true }), sum(square(white), [1], { keep: true }));
  return maximum(nearest, number(0));
}
