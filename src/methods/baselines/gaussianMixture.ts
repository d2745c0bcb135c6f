import { constant, type Value } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { scale, shift, square, sub } from "../../engine/ops/elementwise.js";
import { logSumExp, sum } from "../../engine/ops/reduce.js";
import { concat, reshape, slice, squeeze } from "../../engine/ops/shaping.js";
import { float32, floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import type { BaselineOptions } from "../parts/baselineOptions.js";
import { describeJitter, type Fitted, inTurn, unseenRemark } from "../parts/fitting.js";
import type { OnePassMethod } from "../parts/method.js";
import { ClassMoments, type Moments, meanOf, overallMean, pixelsOf, seenClasses, tiedScatter } from "./classMoments.js";
import { minus, times, type Whitening, whiteningOf } from "./whitening.js";

type Prior = BaselineOptions["prior"];

/**
 * A Gaussian for each class with a covariance of its own, and how unlikely the features are under all of them together:
 * u = -log Σ_c π_c N(ẑ; μ_c, Σ_c) (Mukhoti et al., 2023; B-10). On a network with bounded norms it is DUM.
 *
 * A class with fewer than F + 1 pixels cannot fill a covariance: it borrows the one of all classes.
 */
export const gaussianMixture: OnePassMethod<{ readonly prior: Prior }> = {
  name: "gmm",
  title: "GMM",
  family: "further",
  network: "source",
  kind: "one-pass",
  fit({ classes, features }) {
    const moments = new ClassMoments({ features, classes: classes.length, spread: "each" });
    return inTurn([() => moments], () => learned(moments, classes));
  },
  settings: ({ options: { prior } }) => [{ prior }],
  score: ({ features, predicted, enlarge }, fitted, { prior }) => ({
    predicted,
    uncertainty: squeeze(enlarge(scale(logDensity(features, fitted, prior), -1)), 1),
  }),
};

function learned(moments: Moments, classes: readonly string[]): Fitted {
  const { features, counts } = moments;
  const seen = seenClasses(moments);
  const total = pixelsOf(moments);
  const centre = overallMean(moments);
  const remarks = unseenRemark(classes, seen);
  const poor = seen.filter((k) => counts[k]! < features + 1);
  const shared = poor.length === 0 ? null : sharedWhitening(moments, total, remarks);
  if (shared !== null) {
    const listed = poor.map((k) => `${classes[k]} (${counts[k]})`).join(", ");
    remarks.push(`fewer than ${features + 1} pixels of ${listed}: they borrow the covariance of all classes`);
  }
  const own = (k: number): Whitening => {
    const scatter = moments.scatter.subarray(k * features ** 2, (k + 1) * features ** 2);
    const whitening = whiteningOf(
      scatter.map((value) => value / (counts[k]! - 1)),
      features,
    );
    if (whitening.jitter > 0) remarks.push(describeJitter(`the covariance of ${classes[k]}`, whitening.jitter));
    return whitening;
  };
  const parts = seen.map((k) => ({ k, ...(shared !== null && poor.includes(k) ? shared : own(k)) }));
  const constants = parts.map((part) => -(part.logDeterminant + features * Math.log(2 * Math.PI)) / 2);
  return {
    tensors: {
      centre: float32([features], Float32Array.from(centre)),
      whitenings: float32([seen.length, features, features], flat(parts.map(({ matrix }) => matrix))),
      means: float32(
        [seen.length, features],
        flat(parts.map(({ k, matrix }) => times(matrix, minus(meanOf(moments, k), centre)))),
      ),
      constants: float32([seen.length], constants),
      logShares: float32(
        [seen.length],
        seen.map((k) => Math.log(counts[k]! / total)),
      ),
    },
    remarks,
  };
}

function sharedWhitening(moments: Moments, total: number, remarks: string[]): Whitening {
  const covariance = tiedScatter(moments).map((value) => value / total);
  const whitening = whiteningOf(covariance, moments.features);
  if (whitening.jitter > 0) remarks.push(describeJitter("the covariance of all classes", whitening.jitter));
  return whitening;
}

/** log Σ_c π_c N(ẑ; μ_c, Σ_c): features [N, F, h, w] -> [N, 1, h, w]. */
function logDensity(features: Value, tensors: Tensors, prior: Prior): Value {
  const { centre, whitenings, means } = tensors as Record<"centre" | "whitenings" | "means", Tensors[string]>;
  const [parts, f] = means.shape as [number, number];
  const [constants, shares] = ["constants", "logShares"].map((name) => floats(tensors[name], name));
  const centred = sub(features, reshape(constant(centre), [1, f, 1, 1]));
  const [filters, middles] = [constant(whitenings), constant(means)];
  // One class after the other: all at once would hold K times the features.
  const densities = Array.from({ length: parts }, (_, k) => {
    const white = conv2d(centred, reshape(slice(filters, 0, k, k + 1), [f, f, 1, 1]));
    const off = sub(white, reshape(slice(middles, 0, k, k + 1), [1, f, 1, 1]));
    const level = constants![k]! + (prior === "shares" ? shares![k]! : 0);
    return shift(scale(sum(square(off), [1], { keep: true }), -0.5), level);
  });
  return logSumExp(concat(densities, 1), [1]);
}

const flat = (arrays: readonly Float64Array[]): Float32Array => {
  const length = arrays.reduce((total, one) => total + one.length, 0);
  const joined = new Float32Array(length);
  let at = 0;
  for (const one of arrays) {
    joined.set(one, at);
    at += one.length;
  }
  return joined;
};
